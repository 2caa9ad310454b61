package io.sluice.data;

import io.sluice.data.decision.DecisionLogSettings;
import io.sluice.data.limit.LimitSettings;
import io.sluice.data.pool.PoolSettings;
import io.sluice.data.recall.CacheSettings;
import io.sluice.data.recall.RecallSettings;
import io.sluice.data.request.PipelineSettings;
import io.sluice.data.server.GatewaySettings;
import io.sluice.data.upstream.UpstreamLimits;

/**
 * All settings of one data plane.
 *
 * @param node name of this node in reports
 * @param eventLoops servers to start, one per loop
 */
public record DataPlaneSettings(
        String node,
        int eventLoops,
        GatewaySettings gateway,
        PipelineSettings pipeline,
        PoolSettings pools,
        UpstreamLimits upstream,
        DecisionLogSettings decisions,
        RecallSettings recall,
        CacheSettings cache,
        LimitSettings limits) {}
