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

    /** After this everything that is used now has left the window; a node that has too small a share has another one by then. */
    private static final long LONGEST_MS = 61_000;

    /** Nobody knows when a running request ends. */
    private static final long RUNNING_RETRY_MS = 1_000;

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
     * Takes one request, {@code tokens} tokens and a place among the running ones from every rule.
     *
     * @param rules at least one, all of one tenant; one that stands there twice counts once
     */
    public Taken take(List<Rule> rules, long tokens) {
        return take(rules, tokens, true);
    }

    /** Counts a request that will not run: it needs no tokens and no place. */
    public Taken count(List<Rule> rules) {
        Taken taken = take(rules, 0, false);
        if (taken.permit() != null) {
            taken.permit().end();
        }
        return taken;
    }

    /** Asks for larger shares of what a request lacked; completes with whether it is worth to take again. Never fails. */
    public Future<Boolean> draw(List<Need> lacking) {
        return shares.draw(lacking);
    }

    private Taken take(List<Rule> rules, long tokens, boolean runs) {
        List<Use> uses = uses(rules, runs);
        for (int look = 1; ; look++) {
            long nowMs = clockMs.getAsLong();
            LimitInput input = look(uses, tokens, nowMs);
            LimitVerdict refused = LimitDecider.decide(input);
            if (refused != null) {
                return new Taken(
                        input, refused, null, figures(uses, input, false, nowMs), lacking(uses, input, refused));
            }
            int full = takeAll(uses, input, nowMs);
            if (full < 0) {
                LimitPermit permit = new LimitPermit(clockMs, uses, tokens, nowMs);
                return new Taken(input, null, permit, figures(uses, input, true, nowMs));
            }
            if (look == LOOKS_MAX) {
                Use use = uses.get(full);
                LimitVerdict busy = new LimitVerdict(use.key().level(), use.kind(), use.limit(), RUNNING_RETRY_MS);
                return new Taken(input, busy, null, figures(uses, input, false, nowMs));
            }
        }
    }

    /** Nothing where a share of all would not help either. */
    private static List<Need> lacking(List<Use> uses, LimitInput input, LimitVerdict refused) {
        if (refused.neverFits()) {
            return List.of();
        }
        List<Need> lacking = new ArrayList<>();
        for (int i = 0; i < uses.size(); i++) {
            Use use = uses.get(i);
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

    /** One limit of a rule, with what counts for it. */
    record Use(LimitKey key, LimitKind kind, int limit, int share, long elsewhere, LimitCounter counter) {
        boolean tryTake(long amount, long nowMs) {
            return switch (kind) {
                case REQUESTS -> counter.requests().tryTake(amount, share, nowMs);
                case TOKENS -> counter.tokens().tryTake(amount, share, nowMs);
                case CONCURRENCY -> counter.tryRun(share);
            };
        }

        void giveBack(long amount, long takenMs, long nowMs) {
            switch (kind) {
                case REQUESTS -> counter.requests().giveBack(amount, takenMs, nowMs);
                case TOKENS -> counter.tokens().giveBack(amount, takenMs, nowMs);
                case CONCURRENCY -> counter.ended();
            }
        }

        LimitFacts facts(long need, long nowMs) {
            if (kind == LimitKind.CONCURRENCY) {
                int running = counter.running();
                return new LimitFacts(key.level(), kind, limit, share, running, running < share ? 0 : RUNNING_RETRY_MS);
            }
            SlidingMinute window = window();
            long used = window.used(nowMs);
            long freeMs = used + need <= share ? 0 : Math.min(LONGEST_MS, window.untilRoomMs(need, share, nowMs));
            return new LimitFacts(key.level(), kind, limit, share, used, freeMs);
        }

        SlidingMinute window() {
            return kind == LimitKind.TOKENS ? counter.tokens() : counter.requests();
        }
    }

    private List<Use> uses(List<Rule> rules, boolean runs) {
        List<Use> uses = new ArrayList<>(3 * rules.size());
        LimitCounters.OfTenant tenant = counters.tenant(rules.get(0).key().tenant());
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = rules.get(i);
            if (rules.indexOf(rule) < i) {
                continue;
            }
            LimitCounter counter = tenant.of(rule.key());
            add(uses, rule.key(), LimitKind.REQUESTS, rule.limits().requestsPerMinute(), counter);
            add(uses, rule.key(), LimitKind.TOKENS, rule.limits().tokensPerMinute(), counter);
            if (runs) {
                add(uses, rule.key(), LimitKind.CONCURRENCY, rule.limits().maxConcurrency(), counter);
            }
        }
        return uses;
    }

    private void add(List<Use> uses, LimitKey key, LimitKind kind, Integer limit, LimitCounter counter) {
        if (limit != null) {
            uses.add(new Use(key, kind, limit, shares.share(key, kind, limit), shares.elsewhere(key, kind), counter));
        }
    }

    private static LimitInput look(List<Use> uses, long tokens, long nowMs) {
        List<LimitFacts> facts = new ArrayList<>(uses.size());
        for (int i = 0; i < uses.size(); i++) {
            Use use = uses.get(i);
            facts.add(use.facts(use.kind() == LimitKind.TOKENS ? tokens : 1, nowMs));
        }
        return new LimitInput(tokens, facts);
    }

    /** Takes from all; -1 where that went well, else the index of the one that was full, and nothing is taken. */
    private static int takeAll(List<Use> uses, LimitInput input, long nowMs) {
        for (int i = 0; i < uses.size(); i++) {
            if (!uses.get(i).tryTake(input.need(uses.get(i).kind()), nowMs)) {
                for (int taken = i - 1; taken >= 0; taken--) {
                    Use use = uses.get(taken);
                    use.giveBack(input.need(use.kind()), nowMs, nowMs);
                }
                return i;
            }
        }
        return -1;
    }

    /** Of the whole limit, as far as is known: what this node may use by itself is no caller's business. */
    private static long remaining(Use use, LimitFacts facts) {
        return Math.max(0, facts.limit() - use.elsewhere() - facts.used());
    }

    private static RateFigures figures(List<Use> uses, LimitInput input, boolean taken, long nowMs) {
        return new RateFigures(
                tightest(LimitKind.REQUESTS, uses, input, taken, nowMs),
                tightest(LimitKind.TOKENS, uses, input, taken, nowMs));
    }

    private static Figure tightest(LimitKind kind, List<Use> uses, LimitInput input, boolean taken, long nowMs) {
        int tightest = -1;
        for (int i = 0; i < uses.size(); i++) {
            LimitFacts facts = input.facts().get(i);
            if (facts.kind() == kind
                    && (tightest < 0
                            || remaining(uses.get(i), facts)
                                    < remaining(
                                            uses.get(tightest), input.facts().get(tightest)))) {
                tightest = i;
            }
        }
        if (tightest < 0) {
            return null;
        }
        LimitFacts facts = input.facts().get(tightest);
        long remaining = Math.max(0, remaining(uses.get(tightest), facts) - (taken ? input.need(kind) : 0));
        return new Figure(facts.limit(), remaining, uses.get(tightest).window().untilEmptyMs(nowMs));
    }
}
