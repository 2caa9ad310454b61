package io.sluice.control.store;

/** The store could not do what it was asked; nothing was changed. The message says what an operator can do. */
public class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }

    public StoreException(String message) {
        super(message);
    }
}
