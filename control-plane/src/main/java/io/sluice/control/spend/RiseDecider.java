package io.sluice.control.spend;

import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendReport;
import io.sluice.control.api.SpendRise;
import io.sluice.control.api.SpendRise.Segment;
import io.sluice.tenants.money.Money;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Breaks the difference of two periods down into calls, mix, tokens per call and price. Cost is replaced factor by factor: calls of the
 * present at the cost of a base call, then in the segments where they are, then with their tokens at the base price of a token, then as
 * they are. Each step in between is rounded once to a micro-unit, so the factors sum up exactly. A segment that is new has its present
 * cost per call as its base cost. Pure.
 */
final class RiseDecider {
    private RiseDecider() {}

    static SpendRise decide(
            List<SpendReport.Row> base, List<SpendReport.Row> present, int segmentsMax, String currency) {
        Map<Map<String, String>, SpendFigures[]> pairs = new LinkedHashMap<>();
        base.forEach(row -> pairs.computeIfAbsent(row.key(), RiseDecider::none)[0] = row.figures());
        present.forEach(row -> pairs.computeIfAbsent(row.key(), RiseDecider::none)[1] = row.figures());
        List<Segment> segments = new ArrayList<>();
        SpendFigures before = SpendFigures.NONE;
        SpendFigures after = SpendFigures.NONE;
        long calls = 0;
        long tokens = 0;
        long price = 0;
        for (Map.Entry<Map<String, String>, SpendFigures[]> pair : pairs.entrySet()) {
            Segment segment = segment(pair.getKey(), pair.getValue()[0], pair.getValue()[1]);
            segments.add(segment);
            before = before.plus(segment.base());
            after = after.plus(segment.present());
            calls += segment.calls().micros();
            tokens += segment.tokensPerCall().micros();
            price += segment.price().micros();
        }
        long volume = volume(before, after, calls);
        long change = after.cost().micros() - before.cost().micros();
        segments.sort(Comparator.comparingLong(
                        (Segment each) -> -Math.abs(each.change().micros()))
                .thenComparing(each -> each.key().toString()));
        return new SpendRise(
                before,
                after,
                new Money(change),
                new Money(volume),
                new Money(calls - volume),
                new Money(tokens),
                new Money(price),
                unusual(before.cost().micros(), change),
                segments.subList(0, Math.min(segmentsMax, segments.size())),
                currency);
    }

    private static SpendFigures[] none(Map<String, String> key) {
        return new SpendFigures[] {SpendFigures.NONE, SpendFigures.NONE};
    }

    private static boolean unusual(long base, long change) {
        return change > 0
                && BigDecimal.valueOf(change)
                                .multiply(BigDecimal.valueOf(100))
                                .compareTo(BigDecimal.valueOf(base)
                                        .multiply(BigDecimal.valueOf(SpendRise.UNUSUAL_PERCENT)))
                        > 0;
    }

    /** More calls at the mix of the base; without a base, all that calls account for. */
    private static long volume(SpendFigures before, SpendFigures after, long calls) {
        return before.calls() == 0
                ? calls
                : ratio(before.cost().micros(), after.calls(), before.calls())
                        - before.cost().micros();
    }

    private static Segment segment(Map<String, String> key, SpendFigures base, SpendFigures present) {
        long from = base.cost().micros();
        long to = present.cost().micros();
        long atBaseCall = base.calls() == 0 ? to : ratio(from, present.calls(), base.calls());
        long atBasePrice = base.tokens() == 0
                ? (base.calls() == 0 ? to : atBaseCall)
                : ratio(from, present.tokens(), base.tokens());
        return new Segment(
                key,
                base,
                present,
                new Money(to - from),
                new Money(atBaseCall - from),
                new Money(atBasePrice - atBaseCall),
                new Money(to - atBasePrice));
    }

    /** {@code amount × part / whole}, half to even. */
    private static long ratio(long amount, long part, long whole) {
        return BigDecimal.valueOf(amount)
                .multiply(BigDecimal.valueOf(part))
                .divide(BigDecimal.valueOf(whole), 0, RoundingMode.HALF_EVEN)
                .longValueExact();
    }
}
