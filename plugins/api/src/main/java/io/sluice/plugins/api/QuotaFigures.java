package io.sluice.plugins.api;

/** What a provider says of its account's limits in the headers of an answer. */
public record QuotaFigures(Window requests, Window tokens) {
    /** It says nothing. */
    public static final QuotaFigures NONE = new QuotaFigures(Window.UNKNOWN, Window.UNKNOWN);

    /**
     * One limit. What is not said is -1.
     *
     * @param limit most that may be used in the provider's window, usually a minute; at least 1 where it is known
     * @param remaining what is left of it
     * @param resetMs until all of it is there again
     */
    public record Window(long limit, long remaining, long resetMs) {
        public static final Window UNKNOWN = new Window(-1, -1, -1);
    }

    /** Whether nothing is known. */
    public boolean saysNothing() {
        return requests.equals(Window.UNKNOWN) && tokens.equals(Window.UNKNOWN);
    }
}
