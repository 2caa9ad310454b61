package io.sluice.control.api;

/** By what spend can be told apart. */
public enum SpendDimension {
    APP("app"),
    SCENARIO("scenario"),
    /** {@code provider/model}. */
    MODEL("model"),
    /** The rung of the ladder. */
    STEP("step"),
    END_USER("endUser"),
    /** A calendar day of the tenant's time zone. */
    DAY("day"),
    /** An hour of UTC, by its first instant. */
    HOUR("hour");

    private final String word;

    SpendDimension(String word) {
        this.word = word;
    }

    /** Its name in the key of a row. */
    public String word() {
        return word;
    }
}
