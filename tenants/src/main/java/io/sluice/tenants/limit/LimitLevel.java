package io.sluice.tenants.limit;

/** Whose traffic a limit counts, from narrow to wide: of limits that are equally far away the first is named. */
public enum LimitLevel {
    KEY("this API key"),
    APP_END_USER("this end user of the app"),
    END_USER("this end user"),
    SCENARIO("the scenario"),
    APP("the app"),
    TENANT("the tenant");

    private final String text;

    LimitLevel(String text) {
        this.text = text;
    }

    /** Whose in words, for the caller, who knows its own key, app, scenario and user. */
    public String text() {
        return text;
    }
}
