package io.sluice.plugins.api;

/** A text that must not be shown: {@link #toString} prints stars, so it can not reach a log by accident. */
public final class Secret {
    private final String value;

    public Secret(String value) {
        this.value = value;
    }

    /** The text itself, for the one header it belongs in. */
    public String reveal() {
        return value;
    }

    @Override
    public String toString() {
        return "***";
    }
}
