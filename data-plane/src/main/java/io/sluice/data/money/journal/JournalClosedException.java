package io.sluice.data.money.journal;

/**
 * The journal takes no more records, so this node may not spend. It stays closed until the process is started again, since nobody
 * can know what a disk kept that failed once.
 */
public final class JournalClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JournalClosedException(String message, Throwable cause) {
        super(message, cause);
    }
}
