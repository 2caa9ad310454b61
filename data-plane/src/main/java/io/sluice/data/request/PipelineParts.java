package io.sluice.data.request;

import io.sluice.data.decision.DecisionLog;
import io.sluice.data.drill.Drills;
import io.sluice.data.limit.LimitCounters;
import io.sluice.data.limit.Limiter;
import io.sluice.data.limit.UpstreamQuotas;
import io.sluice.data.money.BandBoard;
import io.sluice.data.money.Reservations;
import io.sluice.data.pool.Pools;
import io.sluice.data.recall.ExactCache;
import io.sluice.data.recall.IdempotencyDesk;
import io.sluice.data.recall.RecallSettings;
import io.sluice.data.seeing.RequestMeters;
import io.sluice.data.tokens.TokenCounter;
import io.sluice.data.upstream.UpstreamClient;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/**
 * What the requests of one event loop work with. All but the first three are shared by the loops of a node.
 *
 * @param context of the loop
 * @param upstream of the loop
 */
public record PipelineParts(
        Vertx vertx,
        Context context,
        UpstreamClient upstream,
        Pools pools,
        RequestMeters meters,
        DecisionLog log,
        RungProofs proofs,
        Drills drills,
        IdempotencyDesk desk,
        ExactCache cache,
        Reservations reservations,
        Limiter limiter,
        LimitCounters limits,
        UpstreamQuotas quotas,
        BandBoard bands,
        TokenCounter counter,
        RecallSettings recall,
        PipelineSettings settings) {}
