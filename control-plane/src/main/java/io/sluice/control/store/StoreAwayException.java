package io.sluice.control.store;

/** What all nodes share can't be reached now; whether something was stored is not known. */
public final class StoreAwayException extends StoreException {
    private static final long serialVersionUID = 1L;

    public StoreAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
