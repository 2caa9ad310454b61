package io.sluice.ops;

/** The process can't do what it was started for; the message tells a person why and what to do. */
final class StartFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    StartFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
