package io.sluice.data.limit;

import io.sluice.data.limit.RateFigures.Figure;
import io.sluice.data.limit.RateShares.Need;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.limit.LimitDecider;
import io.sluice.tenants.limit.LimitFacts;
import io.sluice.tenants.limit.LimitInput;
import io.sluice.tenants.limit.LimitKey;
import io.sluice.tenants.limit.LimitKind;
import io.sluice.tenants.limit.LimitVerdict;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Admits requests within all limits that apply to them, or takes nothing. It looks at every limit first, so that a request that is
 * refused touches no counter; where another request takes the last place in between, what was taken is given back and it looks
 * again. Thread-safe, without locks.
 */
public final class Limiter {
    /** Another request was faster so often only where very many run at once; that one is told to come back. */
    private static final int LOOKS_MAX = 8;

    private final LimitCounters counters;
    private final RateShares shares;
    private final LongSupplier clockMs;

    /** @param clockMs milliseconds of a clock that never goes back */
    public Limiter(LimitCounters counters, RateShares shares, LongSupplier clockMs) {
        this.counters = counters;
        this.shares = shares;
        this.clockMs = clockMs;
    }

    /** A rule that applies to a request. */
    public record Rule(LimitKey key, LimitsConfig limits) {}

    /**
     * How it went.
     *
     * @param input what the verdict was found from
     * @param refused null where the request is admitted
     * @param permit null where it is refused
     * @param lacking where it is refused, limits of which a larger share of this node could have let it in; drawn from
     *     {@link RateShares#draw}
     */
    public record Taken(
            LimitInput input, LimitVerdict refused, LimitPermit permit, RateFigures figures, List<Need> lacking) {
        Taken(LimitInput input, LimitVerdict refused, LimitPermit permit, RateFigures figures) {
            this(input, refused, permit, figures, List.of());
        }
    }

    /**
     * Rules with their counters found, from narrow to wide, one that stands there twice counts once.
     *
     * @param rules all of one tenant, none of end users
     */
    public RuleSet rules(List<Rule> rules) {
        return new RuleSet(counters, shares, rules, true);
    }

    /** As {@link #rules}, for requests that will not run: they take no place. */
    public RuleSet rulesInVain(List<Rule> rules) {
        return new RuleSet(counters, shares, rules, false);
    }

    /** Counts a request that will not run: it needs no tokens. {@code rules}: made by {@link #rulesInVain}. */
    public Taken count(RuleSet rules) {
        Taken taken = take(rules, List.of(), 0);
        if (taken.permit() != null) {
            taken.permit().end();
        }
        return taken;
    }

    /** Asks for larger shares of what a request lacked; completes with whether it is worth to take again. Never fails. */
    public Future<Boolean> draw(List<Need> lacking) {
        return shares.draw(lacking);
    }

    /**
     * Takes one request, {@code tokens} tokens and a place among the running ones from every rule.
     *
     * @param ofEndUser further rules, those of the request's end user
     */
    public Taken take(RuleSet rules, List<Rule> ofEndUser, long tokens) {
        for (int look = 1; ; look++) {
            LimitUse[] uses = rules.uses(ofEndUser);
            long nowMs = clockMs.getAsLong();
            LimitInput input = look(uses, tokens, nowMs);
            LimitVerdict refused = LimitDecider.decide(input);
            if (refused != null) {
                return new Taken(
                        input, refused, null, figures(uses, input, false, nowMs), lacking(uses, input, refused));
            }
            int full = takeAll(uses, input, nowMs);
            if (full < 0 && RuleSet.stay(uses)) {
                LimitPermit permit = new LimitPermit(clockMs, uses, tokens, nowMs);
                return new Taken(input, null, permit, figures(uses, input, true, nowMs));
            }
            if (full < 0) {
                giveBack(uses, uses.length, input, nowMs); // others would count in another counter
            }
            if (look == LOOKS_MAX) {
                LimitUse use = uses[Math.max(0, full)];
                LimitVerdict busy =
                        new LimitVerdict(use.key().level(), use.kind(), use.limit(), LimitUse.RUNNING_RETRY_MS);
                return new Taken(input, busy, null, figures(uses, input, false, nowMs));
            }
        }
    }

    /** Nothing where a share of all would not help either. */
    private static List<Need> lacking(LimitUse[] uses, LimitInput input, LimitVerdict refused) {
        if (refused.neverFits()) {
            return List.of();
        }
        List<Need> lacking = new ArrayList<>();
        for (int i = 0; i < uses.length; i++) {
            LimitUse use = uses[i];
            LimitFacts facts = input.facts().get(i);
            long need = input.need(use.kind());
            if (facts.used() + need > facts.limit()) {
                return List.of();
            }
            if (facts.used() + need > facts.share()) {
                lacking.add(new Need(use.key(), use.kind(), use.limit(), facts.used(), need));
            }
        }
        return lacking;
    }

    private static LimitInput look(LimitUse[] uses, long tokens, long nowMs) {
        LimitFacts[] facts = new LimitFacts[uses.length];
        for (int i = 0; i < uses.length; i++) {
            facts[i] = uses[i].facts(uses[i].kind() == LimitKind.TOKENS ? tokens : 1, nowMs);
        }
        return new LimitInput(tokens, List.of(facts));
    }

    /** Takes from all; -1 where that went well, else the index of the one that was full, and nothing is taken. */
    private static int takeAll(LimitUse[] uses, LimitInput input, long nowMs) {
        for (int i = 0; i < uses.length; i++) {
            LimitFacts facts = input.facts().get(i);
            if (!uses[i].tryTake(input.need(facts.kind()), facts.share(), nowMs)) {
                giveBack(uses, i, input, nowMs);
                return i;
            }
        }
        return -1;
    }

    private static void giveBack(LimitUse[] uses, int count, LimitInput input, long nowMs) {
        for (int i = count - 1; i >= 0; i--) {
            uses[i].giveBack(input.need(uses[i].kind()), nowMs, nowMs);
        }
    }

    private static RateFigures figures(LimitUse[] uses, LimitInput input, boolean taken, long nowMs) {
        return new RateFigures(
                tightest(LimitKind.REQUESTS, uses, input, taken, nowMs),
                tightest(LimitKind.TOKENS, uses, input, taken, nowMs));
    }

    private static Figure tightest(LimitKind kind, LimitUse[] uses, LimitInput input, boolean taken, long nowMs) {
        LimitUse tightest = null;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < uses.length; i++) {
            if (uses[i].kind() == kind) {
                long remaining = uses[i].remaining(input.facts().get(i));
                if (tightest == null || remaining < least) {
                    tightest = uses[i];
                    least = remaining;
                }
            }
        }
        return tightest == null
                ? null
                : new Figure(
                        tightest.limit(),
                        Math.max(0, least - (taken ? input.need(kind) : 0)),
                        tightest.window().untilEmptyMs(nowMs));
    }
}
