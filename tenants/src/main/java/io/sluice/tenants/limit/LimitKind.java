package io.sluice.tenants.limit;

/** What a limit counts. */
public enum LimitKind {
    REQUESTS("request", "a minute"),
    TOKENS("token", "a minute"),
    CONCURRENCY("request", "at once");

    private final String noun;
    private final String when;

    LimitKind(String noun, String when) {
        this.noun = noun;
        this.when = when;
    }

    /** A limit in words, for people, such as {@code 20 requests a minute}. */
    public String text(int limit) {
        return limit + " " + noun + (limit == 1 ? " " : "s ") + when;
    }
}
