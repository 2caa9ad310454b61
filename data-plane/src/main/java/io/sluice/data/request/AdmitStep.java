package io.sluice.data.request;

import io.sluice.data.limit.LimitCounters;
import io.sluice.data.limit.Limiter;
import io.sluice.data.limit.Limiter.Rule;
import io.sluice.data.limit.Limiter.Taken;
import io.sluice.data.seeing.RequestMeters;
import io.sluice.plugins.api.chat.ChatFacts;
import io.sluice.tenants.decision.PromptRecord.Use;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.limit.LimitKind;
import io.sluice.tenants.limit.LimitLevel;
import io.sluice.tenants.limit.LimitVerdict;
import io.sluice.tenants.limit.TokenEstimate;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledTarget;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets requests in within the limits of key, end user, scenario, app and tenant (requirement B1): all of them admit it, or it takes
 * nothing. For one event loop.
 */
final class AdmitStep {
    /** The OpenAI SDKs obey no longer wait, and repeat sooner instead (wire facts 1.1). */
    private static final long RETRY_MAX_MS = 60_000;

    /** So long a request waits for a larger share of a limit: some times what one answer of the authority takes. */
    private static final long DRAW_MS_MAX = 250;

    private final Limiter limiter;
    private final RuleBook book;
    private final RequestMeters meters;
    private final CountStep counts;

    AdmitStep(Limiter limiter, LimitCounters counters, RequestMeters meters, CountStep counts) {
        this.limiter = limiter;
        this.counts = counts;
        book = new RuleBook(limiter, counters);
        this.meters = meters;
    }

    /**
     * The request with what it took; unchanged where no limit applies to it. Complete at once unless this node's share of a limit is
     * too small for it.
     */
    Future<Outcome<Identified>> admit(Identified identified) {
        Caller caller = identified.caller();
        RequestRules rules = book.of(caller, identified.scenario());
        List<Rule> ofEndUser = rules == null ? List.of() : rules.ofEndUser(identified.endUser());
        if (rules == null || (rules.set().isEmpty() && ofEndUser.isEmpty())) {
            return Future.succeededFuture(Outcome.go(identified));
        }
        int tokensMin = rules.tokensMin(ofEndUser);
        AtomicInteger usual = tokensMin == Integer.MAX_VALUE ? null : rules.usual();
        long tokens = usual == null ? 0 : estimate(identified, usual.get(), tokensMin);
        Taken taken = limiter.take(rules.set(), ofEndUser, tokens);
        if (taken.refused() == null) {
            return Future.succeededFuture(told(identified, taken, usual));
        }
        return drawn(taken, rules, ofEndUser, tokens)
                .compose(first -> counted(first, identified, rules, ofEndUser, tokens))
                .map(last -> told(identified, last, usual));
    }

    /** Once more, with a larger share of what was lacking, where there may be one. */
    private Future<Taken> drawn(Taken taken, RequestRules rules, List<Rule> ofEndUser, long tokens) {
        if (taken.lacking().isEmpty()) {
            return Future.succeededFuture(taken);
        }
        return limiter.draw(taken.lacking())
                .timeout(DRAW_MS_MAX, TimeUnit.MILLISECONDS)
                .otherwise(false)
                .map(useful -> useful ? limiter.take(rules.set(), ofEndUser, tokens) : taken);
    }

    /** Once more, where the estimate was too much for a limit on tokens and the models' own count is less. */
    private Future<Taken> counted(
            Taken taken, Identified identified, RequestRules rules, List<Rule> ofEndUser, long tokens) {
        List<CompiledTarget> first = first(identified.ladder());
        if (taken.refused() == null
                || taken.refused().kind() != LimitKind.TOKENS
                || first.stream().noneMatch(each -> CountStep.countable(identified, each))) {
            return Future.succeededFuture(taken);
        }
        return counts.count(identified, first, Use.LIMIT).compose(any -> {
            int tokensMin = rules.tokensMin(ofEndUser);
            long fewer = estimate(identified, rules.usual().get(), tokensMin);
            return fewer < tokens
                    ? drawn(limiter.take(rules.set(), ofEndUser, fewer), rules, ofEndUser, fewer)
                    : Future.succeededFuture(taken);
        });
    }

    private Outcome<Identified> told(Identified identified, Taken taken, AtomicInteger usual) {
        RateHeaders.set(identified.arrival().http().response(), taken.figures());
        return taken.refused() == null
                ? Outcome.go(identified.admittedBy(new Admitted(taken.input(), taken.permit(), usual)))
                : Outcome.halt(refusal(identified, taken));
    }

    /**
     * Counts a request that a known key sent in vain, because it was malformed or asked for what there is not: a broken client is
     * held to the same number of requests a minute as one that works. Its scenario and its end user are not known.
     *
     * @return {@code stop}, or why it is not even looked at
     */
    Stop inVain(Caller caller, Stop stop) {
        RequestRules rules = book.of(caller, null);
        if (rules == null || rules.set().isEmpty()) {
            return stop;
        }
        Taken taken = limiter.count(rules.set());
        RateHeaders.set(caller.arrival().http().response(), taken.figures());
        if (taken.refused() == null) {
            return stop;
        }
        if (!taken.lacking().isEmpty()) {
            limiter.draw(taken.lacking());
            return stop; // its own mistake is known, so it does not wait to be counted
        }
        if (Reply.leavesBodyUnread(caller.arrival(), stop.refusal())) {
            caller.arrival().http().response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        return refusal(caller, null, taken);
    }

    private static long estimate(Identified identified, int usual, int tokensMin) {
        ChatFacts chat = identified.chat().facts();
        return TokenEstimate.of(
                promptTokens(identified),
                chat.choices(),
                chat.maxTokens(),
                answerMax(identified.ladder()),
                usual,
                tokensMin);
    }

    /** As the first models count them, where all do; else estimated. */
    private static int promptTokens(Identified identified) {
        int estimate = identified.chat().facts().promptTokens();
        if (!identified.prompt().counted()) {
            return estimate;
        }
        int most = 0;
        for (CompiledTarget target : first(identified.ladder())) {
            Integer counted = identified
                    .prompt()
                    .tokens(target.nameUpstream(), identified.chat().facts());
            most = Math.max(most, counted == null ? estimate : counted);
        }
        return most;
    }

    /** Tokens of the longest answer that the first models could give. */
    private static int answerMax(List<CompiledRung> ladder) {
        int max = 0;
        for (CompiledTarget target : first(ladder)) {
            max = Math.max(max, target.maxOutputTokens());
        }
        return max;
    }

    /** The models that could be called first. */
    private static List<CompiledTarget> first(List<CompiledRung> ladder) {
        for (CompiledRung rung : ladder) {
            if (rung instanceof CompiledRung.Pool pool && !pool.pool().targets().isEmpty()) {
                return pool.pool().targets();
            }
        }
        return List.of();
    }

    private Stop refusal(Identified identified, Taken taken) {
        return refusal(identified.caller(), identified.scenario().name(), taken);
    }

    private Stop refusal(Caller caller, String scenario, Taken taken) {
        LimitVerdict by = taken.refused();
        meters.limited(caller.tenant().id().value(), by.level(), by.kind());
        String limit = "the limit of " + by.kind().text(by.limit()) + " of " + whose(by.level(), caller, scenario);
        if (by.neverFits()) {
            return new Stop(
                    Refusal.RATE_LIMITED,
                    "the request may use " + taken.input().tokens() + " tokens, which is more than " + limit
                            + " allows at all, so waiting does not help; send a shorter prompt, or a smaller max_tokens",
                    "max_tokens",
                    0,
                    false);
        }
        long retryAfterMs = Math.min(RETRY_MAX_MS, by.retryAfterMs());
        String when = by.kind() == LimitKind.CONCURRENCY
                ? "; come back when one of them has ended"
                : "; come back in " + (retryAfterMs + 999) / 1_000 + " s";
        return Stop.later(Refusal.RATE_LIMITED, limit + " is reached" + when, retryAfterMs);
    }

    private static String whose(LimitLevel level, Caller caller, String scenario) {
        return switch (level) {
            case SCENARIO -> level.text() + " \"" + scenario + "\"";
            case APP -> level.text() + " \"" + caller.key().appId() + "\"";
            case KEY, END_USER, APP_END_USER, TENANT -> level.text();
        };
    }
}
