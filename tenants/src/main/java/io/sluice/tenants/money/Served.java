package io.sluice.tenants.money;

/**
 * How a call was, or is to be, served, as far as its price depends on it.
 *
 * @param serviceTier as the provider says, else as the request asks; null where neither says
 * @param region of the provider; null where none is configured
 */
public record Served(String serviceTier, String region) {
    /** As a price stands. */
    public static final Served PLAIN = new Served(null, null);

    /** What a request asks for that leaves the choice to the provider. */
    private static final String AUTO = "auto";

    /** Whether the provider chooses the tier, so that it may be any. */
    boolean anyTier() {
        return serviceTier == null || serviceTier.equalsIgnoreCase(AUTO);
    }
}
