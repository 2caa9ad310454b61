package io.sluice.tenants.money;

/**
 * What a price is multiplied by where a call is served in some way: in a service tier, or in a region.
 *
 * @param name as the provider reports the tier, or as the provider's region is configured; case does not count
 * @param percent of the price: 50 halves it
 */
public record PriceFactor(String name, int percent) {
    public PriceFactor {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a factor is for something");
        }
        if (percent < 1 || percent > PriceHours.PERCENT_MAX) {
            throw new IllegalArgumentException("a factor is 1 to " + PriceHours.PERCENT_MAX + " percent");
        }
    }
}
