package io.sluice.data.request;

import io.sluice.data.tokens.TokenCounter;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.PromptTokens;
import io.sluice.tenants.decision.PromptRecord.Use;
import io.sluice.tenants.money.Vocabulary;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.RoutePlan.Candidate;
import io.sluice.tenants.routing.RoutePlan.Excluded;
import io.sluice.tenants.routing.RoutePlan.Reason;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts a prompt where its size by bytes is about to cost the request something: an answer, or a better model. A request that fits by
 * its bytes never comes here. Counts short prompts on the event loop, if the vocabulary is loaded, others on a worker thread. For
 * one event loop.
 */
final class CountStep {
    /** Takes about a millisecond at most once the compiler knows the way: of random letters 1.6 ms, of words 0.1 ms. */
    static final int COUNTED_HERE_MAX = 4 << 10;

    /** A longer body keeps its bound: a megabyte of random letters takes 1.3 s. */
    static final int COUNTED_MAX = 1 << 20;

    /** Whoever is refused may come again and again; so many at once may cost this node a worker thread, others keep their bounds. */
    static final int COUNTS_MAX = 4;

    private static final AtomicInteger COUNTS = new AtomicInteger();

    private final Context context;
    private final TokenCounter counter;

    CountStep(Context context, TokenCounter counter) {
        this.context = context;
        this.counter = counter;
    }

    /** Whether the prompt could be counted by the model's own vocabulary, and was not yet. */
    static boolean countable(Identified request, CompiledTarget target) {
        return countable(request)
                && Vocabulary.of(target.nameUpstream())
                        .filter(each -> !request.prompt().has(each))
                        .isPresent();
    }

    private static boolean countable(Identified request) {
        return request.chat().facts().promptBytesMax() >= 0 && request.chat().bytes() <= COUNTED_MAX;
    }

    /**
     * Counts for {@code targets}, as far as they can be; told on the request's event loop, at once where it is counted here.
     *
     * @return whether there are counts now
     */
    Future<Boolean> count(Identified request, Iterable<CompiledTarget> targets, Use use) {
        Set<Vocabulary> missing = EnumSet.noneOf(Vocabulary.class);
        boolean had = false;
        for (CompiledTarget target : targets) {
            Vocabulary.of(target.nameUpstream()).ifPresent(missing::add);
            had |= request.prompt().tokensMax(target.nameUpstream()) >= 0;
        }
        missing.removeIf(request.prompt()::has);
        boolean counts = had;
        if (missing.isEmpty() || !countable(request)) {
            return Future.succeededFuture(noted(request, use, counts));
        }
        if (here(request, missing)) {
            request.prompt().add(tokens(request.chat(), missing));
            return Future.succeededFuture(noted(request, use, true));
        }
        if (COUNTS.incrementAndGet() > COUNTS_MAX) {
            COUNTS.decrementAndGet();
            return Future.succeededFuture(noted(request, use, counts));
        }
        return context.executeBlocking(() -> tokens(request.chat(), missing), false)
                .andThen(ended -> COUNTS.decrementAndGet())
                .map(counted -> {
                    request.prompt().add(counted);
                    return noted(request, use, true);
                });
    }

    /** Counts for one target where that needs no other thread; whether there is a count now that was not there before. */
    boolean countHere(Identified request, CompiledTarget target, Use use) {
        if (!countable(request, target)) {
            return false;
        }
        Set<Vocabulary> one = EnumSet.of(Vocabulary.of(target.nameUpstream()).orElseThrow());
        if (!here(request, one)) {
            return false;
        }
        request.prompt().add(tokens(request.chat(), one));
        return noted(request, use, true);
    }

    private static boolean noted(Identified request, Use use, boolean counts) {
        if (counts) {
            request.prompt().serves(use);
        }
        return counts;
    }

    private boolean here(Identified request, Set<Vocabulary> vocabularies) {
        return request.chat().bytes() <= COUNTED_HERE_MAX
                && vocabularies.stream().allMatch(counter::ready);
    }

    private Map<Vocabulary, Long> tokens(ChatRequest chat, Set<Vocabulary> vocabularies) {
        Map<Vocabulary, Long> counted = new EnumMap<>(Vocabulary.class);
        for (Vocabulary each : vocabularies) {
            counted.put(each, PromptTokens.most(chat, text -> counter.tokens(each, text)));
        }
        return counted;
    }

    /** Whether the prompt may fit a window after all, and then go to a higher rung than it would now. */
    static boolean mayFit(Planned planned) {
        List<Excluded> excluded = planned.plan().excluded();
        for (int i = 0; i < excluded.size(); i++) {
            Excluded out = excluded.get(i);
            if (out.reason() == Reason.WINDOW_TOO_SMALL
                    && out.rung() < firstModel(planned)
                    && countable(planned.identified(), target(planned, out))) {
                return true;
            }
        }
        return false;
    }

    private static int firstModel(Planned planned) {
        return planned.plan().candidates().stream()
                .filter(each -> each.target() >= 0)
                .mapToInt(Candidate::rung)
                .findFirst()
                .orElse(Integer.MAX_VALUE);
    }

    /** Counts for all models whose windows seem too small; then it is time for another plan. */
    Future<Boolean> forWindows(Planned planned) {
        return count(
                planned.identified(),
                planned.plan().excluded().stream()
                        .filter(out -> out.reason() == Reason.WINDOW_TOO_SMALL)
                        .map(out -> target(planned, out))
                        .toList(),
                Use.WINDOW);
    }

    private static CompiledTarget target(Planned planned, Excluded out) {
        CompiledRung.Pool rung =
                (CompiledRung.Pool) planned.identified().ladder().get(out.rung());
        return rung.pool().targets().get(out.target());
    }
}
