package io.sluice.data.request;

import io.sluice.data.recall.CacheKey;
import io.sluice.data.recall.CachedAnswer;
import io.sluice.data.recall.ExactCache;
import io.sluice.data.seeing.RequestMeters;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.decision.RecallRecord;
import io.sluice.tenants.recall.CacheDecider;
import io.sluice.tenants.recall.CacheDecider.Input;
import io.sluice.tenants.recall.CacheDecider.Verdict;
import io.sluice.tenants.routing.CompiledRung;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Asks the exact cache where the scenario has one, and says in the headers what came of it. For one event loop. */
final class CacheStep {
    /** A longer body is hardly sent twice, and costs the event loop more to compare than it may save. */
    private static final int COMPARED_MAX = 256 << 10;

    /** An entry is given in either form, so how the first answer travelled is no part of the question ... */
    private static final Set<String> FORM_MEMBERS = Set.of("stream", "stream_options");

    /** ... except where the answer has what only its own form can carry. */
    private static final List<String> FORM_BOUND = List.of("logprobs", "top_logprobs", "modalities", "audio");

    private final ExactCache cache;
    private final RequestMeters meters;

    CacheStep(ExactCache cache, RequestMeters meters) {
        this.cache = cache;
        this.meters = meters;
    }

    /** What came of it, and what a cache rung makes of it later. For one request on one event loop. */
    static final class Asked {
        private static final Asked UNUSED = new Asked(null, Verdict.UNUSED, null, null);

        private final Input input;
        private final Verdict verdict;
        private final CacheKey key;
        private final CachedAnswer found;
        private RecallRecord.Stale stale;

        private Asked(Input input, Verdict verdict, CacheKey key, CachedAnswer found) {
            this.input = input;
            this.verdict = verdict;
            this.key = key;
            this.found = found;
        }

        Verdict verdict() {
            return verdict;
        }

        /** What was found, fresh or not; null where nothing was. */
        CachedAnswer found() {
            return found;
        }

        /** Whole seconds. */
        long ageS() {
            return input.ageMs() / 1_000;
        }

        /** Whether what was found may answer on a rung that takes old answers. */
        boolean mayAnswerStale(long maxAgeMs) {
            if (verdict == Verdict.UNUSED) {
                return false;
            }
            stale = new RecallRecord.Stale(maxAgeMs, CacheDecider.mayAnswerStale(input, maxAgeMs));
            return stale.answered();
        }

        /** What to record, beside what is remembered otherwise. */
        RecallRecord record(RecallRecord other) {
            if (verdict == Verdict.UNUSED) {
                return other;
            }
            boolean given = verdict == Verdict.HIT || (stale != null && stale.answered());
            String first = given ? found.traceId() : null;
            return other == null ? RecallRecord.ofCache(input, stale, first) : other.with(input, stale, first);
        }
    }

    /** What the cache has to say to a request. */
    Asked ask(Identified identified) {
        long ttlMs = identified.scenario().settings().exactCacheTtl().toMillis();
        if (ttlMs == 0) {
            return Asked.UNUSED;
        }
        Input question = question(identified, ttlMs);
        CacheKey key = CacheDecider.asks(question) ? key(identified) : null;
        CachedAnswer found = key == null ? null : cache.find(key);
        long ageMs = found == null ? -1 : Math.max(0, identified.arrival().at().toEpochMilli() - found.atMs());
        Input input = new Input(
                ttlMs,
                question.kind(),
                question.userContext(),
                question.choices(),
                question.large(),
                question.noStore(),
                question.noCache(),
                ageMs);
        Verdict verdict = CacheDecider.decide(input);
        tell(identified.arrival().http().response(), verdict, ageMs);
        return new Asked(input, verdict, key, found);
    }

    private void tell(HttpServerResponse response, Verdict verdict, long ageMs) {
        String word = verdict.name().toLowerCase(Locale.ROOT);
        meters.cache(word);
        response.putHeader("x-sluice-cache", word);
        if (verdict == Verdict.HIT) {
            tellHit(response, ageMs / 1_000);
        }
    }

    /** An answer of that age is given. */
    static void tellHit(HttpServerResponse response, long ageS) {
        response.putHeader("x-sluice-cache", "hit");
        response.putHeader("age", Long.toString(ageS));
    }

    private static Input question(Identified identified, long ttlMs) {
        ChatRequest chat = identified.chat();
        boolean userContext = chat.facts().endUser() != null
                || identified.sessionId() != null
                || identified.arrival().http().headers().contains("x-end-user");
        String control = identified.arrival().http().getHeader("cache-control");
        String words = control == null ? "" : control.toLowerCase(Locale.ROOT);
        return new Input(
                ttlMs,
                identified.kind(),
                userContext,
                chat.facts().choices(),
                chat.bytes() > COMPARED_MAX,
                words.contains("no-store"),
                words.contains("no-cache"),
                -1);
    }

    private static CacheKey key(Identified identified) {
        ChatRequest chat = identified.chat();
        boolean formBound = FORM_BOUND.stream().anyMatch(chat::has);
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((formBound ? "stream=" + chat.streamed() : "").getBytes(StandardCharsets.US_ASCII));
            digest.update(chat.canonicalText(FORM_MEMBERS));
            return new CacheKey(
                    identified.caller().key().tenant(),
                    identified.scenario().name(),
                    version(identified),
                    HexFormat.of().formatHex(digest.digest()),
                    identified.scenario().answersKept());
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }

    /** Of what answers; a pool that the caller chose may be none of the scenario's own. */
    private static String version(Identified identified) {
        String scenarios = identified.scenario().version();
        if (identified.ladder() == identified.scenario().ladder()) {
            return scenarios;
        }
        StringBuilder version = new StringBuilder(scenarios);
        for (CompiledRung rung : identified.ladder()) {
            if (rung instanceof CompiledRung.Pool pool) {
                version.append(" by ").append(pool.pool().version());
            }
        }
        return version.toString();
    }

    /** {@code delivery}, whose answer is kept where the request may share it. */
    Delivery keeping(Delivery delivery, Asked asked, Identified identified) {
        return asked.verdict() == Verdict.MISS ? new CachingDelivery(delivery, cache, asked.key, identified) : delivery;
    }
}
