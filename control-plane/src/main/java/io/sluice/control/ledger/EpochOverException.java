package io.sluice.control.ledger;

/** The epoch in which a node spoke is over: it has to begin in the one that holds now. Nothing was changed. */
public final class EpochOverException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EpochOverException(LedgerStore.Epoch epoch) {
        super("the ledger's epoch " + epoch.number() + " is over");
    }
}
