package io.sluice.data.request;

import io.sluice.data.recall.CachedAnswer;
import io.sluice.data.recall.ExactCache;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.message.RungCheck;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledScenario;
import io.sluice.tenants.routing.KeywordRules;

/** Tries the rungs of a ladder that call nothing: only what has an answer to give works. Cost: one look at each kept answer. */
final class StaticRungs {
    private final ExactCache cache;
    private final TenantId tenant;
    private final CompiledScenario scenario;

    StaticRungs(ExactCache cache, TenantId tenant, CompiledScenario scenario) {
        this.cache = cache;
        this.tenant = tenant;
        this.scenario = scenario;
    }

    /** What {@code rung} has to say to {@code question}; null for a pool, which has to be called. */
    RungCheck check(CompiledRung rung, String question, long nowMs) {
        return rung.fold(
                pool -> null,
                cached -> cached(cached, nowMs),
                rules -> rules(rules, question),
                text -> checked(text.name(), "text", true, "its text always answers"));
    }

    /** What was asked before is what it answers, so no question can be made up for it. */
    private RungCheck cached(CompiledRung.Cache rung, long nowMs) {
        CachedAnswer newest = cache.newest(tenant, scenario.name(), scenario.version());
        long ageMs = newest == null ? Long.MAX_VALUE : Math.max(0, nowMs - newest.atMs());
        boolean answers = ageMs < rung.maxAgeMs();
        return checked(
                rung.name(),
                "cache",
                answers,
                answers
                        ? "it has answers to what was asked before, the newest " + ageMs / 1_000 + " s old"
                        : "this node keeps no answer that is young enough, so it has none to give yet; requests fill it");
    }

    private static RungCheck rules(CompiledRung.Rules rung, String question) {
        KeywordRules rules = rung.rules();
        String own = rules.ownQuestion();
        if (rules.answer(question) != null) {
            return checked(rung.name(), "rules", true, "it answers the prompt");
        }
        boolean answers = rules.answer(own) != null;
        return checked(
                rung.name(),
                "rules",
                answers,
                answers
                        ? "it answers its own keywords \"" + own
                                + "\"; the prompt has none, so there the rung below would answer"
                        : "it answers neither the prompt nor its own keywords");
    }

    private static RungCheck checked(String step, String kind, boolean ok, String detail) {
        return new RungCheck(step, kind, null, null, ok, 0, null, detail, null);
    }
}
