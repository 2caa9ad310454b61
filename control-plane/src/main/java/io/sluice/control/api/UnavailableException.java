package io.sluice.control.api;

/** Nothing was changed, since what decides on changes can't be reached or is overrun; the message says so to whoever asked. */
public final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
