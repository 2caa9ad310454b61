package io.sluice.control.api;

import io.sluice.tenants.money.Money;
import java.util.List;
import java.util.Map;

/**
 * The difference of two periods, broken down. {@code calls + mix + tokensPerCall + price} is exactly {@code change}.
 *
 * @param calls since there were more calls, or fewer, at the mix of the base period
 * @param mix since calls went to dearer segments, or to cheaper ones
 * @param tokensPerCall since calls used more tokens, or fewer
 * @param price since tokens cost more, or less: other prices, or another share of the token classes
 * @param unusual whether the rise is worth a look: by more than {@value #UNUSUAL_PERCENT} percent
 * @param segments with the largest changes first
 */
public record SpendRise(
        SpendFigures base,
        SpendFigures present,
        Money change,
        Money calls,
        Money mix,
        Money tokensPerCall,
        Money price,
        boolean unusual,
        List<Segment> segments,
        String currency) {
    /** Below it day differs from day anyway. */
    public static final int UNUSUAL_PERCENT = 50;

    public SpendRise {
        segments = List.copyOf(segments);
    }

    /** One segment's part; {@code calls + tokensPerCall + price} is exactly {@code change}. */
    public record Segment(
            Map<String, String> key,
            SpendFigures base,
            SpendFigures present,
            Money change,
            Money calls,
            Money tokensPerCall,
            Money price) {}
}
