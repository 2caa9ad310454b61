package io.sluice.data.recall;

/** The store can not be opened, read or written; the message is for operators. */
public final class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
