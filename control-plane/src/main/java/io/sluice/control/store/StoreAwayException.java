package io.sluice.control.store;

/** Nothing can be changed now, because what all nodes share can't be reached, or is not what this node knows. */
public final class StoreAwayException extends StoreException {
    private static final long serialVersionUID = 1L;

    public StoreAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
