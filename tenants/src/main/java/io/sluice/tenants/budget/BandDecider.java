package io.sluice.tenants.budget;

import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.money.Money;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Says how short money is in one cap (requirement B6). The band follows from what is spent, lost and reserved:
 * <ul>
 *   <li>NORMAL below the conserve share, CONSERVE from there, RESTRICT from the restrict share
 *   <li>EXHAUSTED where all is spent; also, from the restrict share on, where what is left is needed for the exempt scenarios until
 *       the period ends: they are never slowed down, and so need their money kept for them. What is merely reserved exhausts
 *       nothing: it may come back
 * </ul>
 * It does not flutter: a laxer band needs {@link #QUIET} without a change and usage {@link #MARGIN_PERCENT} of the cap below the
 * share; and within any hour there are at most {@value #CHANGES_MAX} changes by figures. With the one at which a period begins
 * that is at most four. A change of the cap itself takes effect at once, as often as finance makes one. The ledger refuses what a
 * cap does not cover whatever the band is, so a band that waits costs steering, never money. Pure.
 */
public final class BandDecider {
    /** The cause of a change that the figures forced back would force it back again. */
    static final Duration QUIET = Duration.ofMinutes(30);

    /** What returns when a busy minute's reservations are settled is below this. */
    static final int MARGIN_PERCENT = 5;

    /** Of changes that the figures make in an hour: enough to go from NORMAL to EXHAUSTED. */
    static final int CHANGES_MAX = 3;

    /** Of these, how many may have come before a laxer band. */
    static final int CHANGES_BEFORE_LAXER_MAX = 1;

    /** More is kept for exempt scenarios than they need at the present rate: another hour may be busier than the last. */
    static final int EXEMPT_MARGIN_PERCENT = 50;

    private static final Duration HOUR = Duration.ofHours(1);

    private BandDecider() {}

    /** The decision on {@code input}. */
    public static BandDecision decide(BandInput input) {
        BandState before = input.before();
        BudgetBand wanted = byFigures(input, 0);
        BudgetBand band = before == null || anew(input) ? wanted : next(input, wanted);
        BudgetBand was = before == null ? BudgetBand.NORMAL : before.band();
        boolean changed = band != was;
        List<Instant> changes = recent(input);
        if (changed) {
            changes.add(input.at());
        }
        Instant since = changed || before == null ? input.at() : before.since();
        long forecast = forecast(input);
        return new BandDecision(
                new BandState(band, since, input.opens(), input.limits(), changes, begun(input, changed ? band : null)),
                changed,
                forecast,
                explanation(input, band, wanted, forecast));
    }

    /** Counts of this period, with one more of {@code band}; null is none. */
    private static Map<BudgetBand, Integer> begun(BandInput input, BudgetBand band) {
        BandState before = input.before();
        Map<BudgetBand, Integer> begun = new EnumMap<>(BudgetBand.class);
        if (before != null && before.opens().equals(input.opens())) {
            begun.putAll(before.begun());
        }
        if (band != null) {
            begun.merge(band, 1, Integer::sum);
        }
        return begun;
    }

    /** How a cap stands whose band another node decides: with the band of {@link BandInput#before}, whatever the figures ask for. */
    public static BandDecision standing(BandInput input) {
        BandState state = input.before() == null
                ? new BandState(BudgetBand.NORMAL, input.opens(), input.opens(), input.limits(), List.of(), Map.of())
                : input.before();
        long forecast = forecast(input);
        return new BandDecision(state, false, forecast, explanation(input, state.band(), state.band(), forecast));
    }

    /** Whether another period has begun or the cap was changed. */
    private static boolean anew(BandInput input) {
        return !input.before().opens().equals(input.opens())
                || !input.before().limits().equals(input.limits());
    }

    private static BudgetBand next(BandInput input, BudgetBand wanted) {
        BudgetBand was = input.before().band();
        int recent = recent(input).size();
        if (wanted.compareTo(was) > 0) {
            return recent < CHANGES_MAX ? wanted : was;
        }
        BudgetBand laxer = byFigures(input, input.limits().limitMicros() / 100 * MARGIN_PERCENT);
        boolean quiet = !input.before().since().plus(QUIET).isAfter(input.at());
        return laxer.compareTo(was) < 0 && quiet && recent <= CHANGES_BEFORE_LAXER_MAX ? laxer : was;
    }

    private static List<Instant> recent(BandInput input) {
        List<Instant> recent = new ArrayList<>();
        if (input.before() != null) {
            input.before().changes().stream()
                    .filter(each -> each.plus(HOUR).isAfter(input.at()))
                    .forEach(recent::add);
        }
        return recent;
    }

    /** The band that the figures ask for, as if so much more were used. */
    private static BudgetBand byFigures(BandInput input, long moreMicros) {
        long used = plus(input.usedMicros(), moreMicros);
        BandLimits limits = input.limits();
        if (input.settledMicros() >= limits.limitMicros()) {
            return BudgetBand.EXHAUSTED;
        }
        if (used >= limits.restrictMicros()) {
            long exempt = kept(input);
            boolean kept = exempt > 0 && plus(plus(input.settledMicros(), moreMicros), exempt) >= limits.limitMicros();
            return kept ? BudgetBand.EXHAUSTED : BudgetBand.RESTRICT;
        }
        return used >= limits.conserveMicros() ? BudgetBand.CONSERVE : BudgetBand.NORMAL;
    }

    /** What exempt scenarios will need until the period ends. */
    private static long kept(BandInput input) {
        long needed = input.untilEnd(input.exemptMicrosPerHour());
        return plus(needed, needed / 100 * EXEMPT_MARGIN_PERCENT);
    }

    private static long forecast(BandInput input) {
        return plus(input.settledMicros(), input.untilEnd(input.burnMicrosPerHour()));
    }

    private static long plus(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    private static String explanation(BandInput input, BudgetBand band, BudgetBand wanted, long forecastMicros) {
        BandLimits limits = input.limits();
        String rule = switch (band) {
            case NORMAL -> "below the share from which money is conserved";
            case CONSERVE ->
                "requests that are not core use light models from " + money(limits.conserveMicros()) + " on";
            case RESTRICT -> "requests that are not core get no model from " + money(limits.restrictMicros()) + " on";
            case EXHAUSTED ->
                input.settledMicros() >= limits.limitMicros()
                        ? "the cap is used up"
                        : "what is left is kept for exempt scenarios, which need " + money(kept(input)) + " until then";
        };
        String waits = wanted == band
                ? ""
                : wanted.compareTo(band) < 0
                        ? "; less would do by now, and it is taken back when that has lasted"
                        : "; the figures ask for " + wanted + ", but it has changed often enough in this hour";
        return String.format(
                Locale.ROOT,
                "%s: %s of %s is used, %s of it reserved; %s; at the present %s an hour it will be %s at %s%s",
                band,
                money(input.usedMicros()),
                money(limits.limitMicros()),
                money(input.heldMicros()),
                rule,
                money(input.burnMicrosPerHour()),
                money(forecastMicros),
                input.ends(),
                waits);
    }

    private static String money(long micros) {
        return new Money(micros).toString();
    }
}
