package io.sluice.tenants.limit;

/**
 * Says whether a request is within all limits that apply to it. All must admit it; the one that is named where it is refused is the
 * one that it has to wait for longest, so that coming back after that time is worth it for all of them.
 */
public final class LimitDecider {
    private LimitDecider() {}

    /** The limit that keeps the request out; null where it is admitted. Linear in the number of limits. */
    public static LimitVerdict decide(LimitInput input) {
        LimitFacts longest = null;
        for (int i = 0; i < input.facts().size(); i++) {
            LimitFacts each = input.facts().get(i);
            long need = input.need(each.kind());
            if (need > each.limit()) {
                return new LimitVerdict(each.level(), each.kind(), each.limit(), 0);
            }
            boolean full = each.used() + need > each.share();
            if (full && (longest == null || each.freeMs() > longest.freeMs())) {
                longest = each;
            }
        }
        return longest == null
                ? null
                : new LimitVerdict(longest.level(), longest.kind(), longest.limit(), Math.max(1, longest.freeMs()));
    }
}
