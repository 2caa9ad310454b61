package io.sluice.plugins.api;

/** The provider can not carry what the caller asks for. The message is shown to the caller: it says what to change. */
public final class UnsupportedRequestException extends Exception {
    private static final long serialVersionUID = 1;

    public UnsupportedRequestException(String message) {
        super(message, null, false, false);
    }
}
