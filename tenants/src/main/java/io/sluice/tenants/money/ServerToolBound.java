package io.sluice.tenants.money;

/** How often a provider calls its own tools for one request at most, as far as fees depend on it. Pure. */
public final class ServerToolBound {
    private ServerToolBound() {}

    /**
     * The bound for one model.
     *
     * @param asked calls that the request itself asks for at most
     * @param nameUpstream what the provider calls the model: OpenAI's {@code gpt-4o-search-preview} and {@code gpt-5-search-api} search
     *     once before each answer, whether they are asked to or not
     */
    public static int callsMax(int asked, String nameUpstream) {
        if (asked > 0) {
            return asked;
        }
        return nameUpstream.contains("-search-preview") || nameUpstream.contains("-search-api") ? 1 : 0;
    }
}
