package io.sluice.control.health;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.health.TargetWindow;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.BusMessage.PoolReported;
import io.sluice.tenants.message.MergedTarget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One pool as all nodes together see it. Immutable; times are milliseconds of one clock. */
public final class PoolMerger {
    /** A node that has been silent for five intervals is gone, and its calls in flight with it. */
    static final long NODE_SILENT_MS = 5_000;

    /** A target that no node has named for so long is no longer configured; longer than the memory of its health. */
    static final long TARGET_SILENT_MS = 600_000;

    /** Smaller moves of a health figure, as it recovers by itself, are not told. */
    private static final double TOLD_MIN = 0.001;

    private record NodeView(int inFlight, TargetState state, double local, long atMs) {}

    private record Track(HealthScore score, Map<String, NodeView> nodes, long atMs) {}

    private record NodeQueue(int queued, long atMs) {}

    private final ScopedId pool;
    private final Map<String, Track> tracks;
    private final Map<String, NodeQueue> queues;

    private PoolMerger(ScopedId pool, Map<String, Track> tracks, Map<String, NodeQueue> queues) {
        this.pool = pool;
        this.tracks = tracks;
        this.queues = queues;
    }

    /** A pool of which nothing was reported yet. */
    public static PoolMerger of(ScopedId pool) {
        return new PoolMerger(pool, Map.of(), Map.of());
    }

    /**
     * A pool that another node owned until now.
     *
     * @param health of its targets as that node published it last; what is absent counts as new
     */
    public static PoolMerger resumed(ScopedId pool, Map<String, Double> health, long nowMs) {
        Map<String, Track> tracks = new HashMap<>();
        health.forEach(
                (target, known) -> tracks.put(target, new Track(HealthScore.resumed(known, nowMs), Map.of(), nowMs)));
        return new PoolMerger(pool, tracks, Map.of());
    }

    /** After one node's report. */
    public PoolMerger next(PoolReported report, long nowMs) {
        Map<String, Track> merged = new HashMap<>(tracks);
        merged.values().removeIf(track -> nowMs - track.atMs() > TARGET_SILENT_MS);
        for (TargetWindow window : report.targets()) {
            Track before = merged.get(window.key());
            HealthScore score = before == null ? HealthScore.fresh(nowMs) : before.score();
            Map<String, NodeView> nodes = new HashMap<>(before == null ? Map.of() : before.nodes());
            nodes.values().removeIf(view -> nowMs - view.atMs() > NODE_SILENT_MS);
            nodes.put(report.node(), new NodeView(window.inFlight(), window.state(), window.local(), nowMs));
            merged.put(window.key(), new Track(score.next(window, nowMs), Map.copyOf(nodes), nowMs));
        }
        Map<String, NodeQueue> lengths = new HashMap<>(queues);
        lengths.values().removeIf(queue -> nowMs - queue.atMs() > NODE_SILENT_MS);
        lengths.put(report.node(), new NodeQueue(report.queued(), nowMs));
        return new PoolMerger(pool, merged, lengths);
    }

    /** Whether no node has spoken of it for so long that it can be forgotten. */
    public boolean silent(long nowMs) {
        return tracks.values().stream().allMatch(track -> nowMs - track.atMs() > TARGET_SILENT_MS);
    }

    /** The pool's health at {@code nowMs}, targets in the order of their keys. */
    public PoolHealthMerged merged(long nowMs) {
        List<MergedTarget> targets = new ArrayList<>();
        LatencyHistogram latency = LatencyHistogram.EMPTY;
        LatencyHistogram firstToken = LatencyHistogram.EMPTY;
        Decayed attempts = new Decayed(0, 0, nowMs);
        for (Map.Entry<String, Track> entry : new TreeMap<>(tracks).entrySet()) {
            Track track = entry.getValue();
            HealthScore score = track.score();
            targets.add(target(entry.getKey(), track, nowMs));
            latency = latency.plus(score.latency().at(nowMs));
            firstToken = firstToken.plus(score.firstToken().at(nowMs));
            Decayed own = score.lasting().at(nowMs, HealthScore.LASTING_HALF_LIFE_MS);
            attempts = new Decayed(attempts.usable() + own.usable(), attempts.unusable() + own.unusable(), nowMs);
        }
        double calls = attempts.usable() + attempts.unusable();
        return new PoolHealthMerged(
                pool,
                Instant.ofEpochMilli(nowMs),
                targets,
                calls == 0 ? 1 : attempts.usable() / calls,
                latency.quantile(0.95),
                firstToken.quantile(0.95),
                targets.stream().mapToInt(MergedTarget::inFlight).sum(),
                queued(nowMs));
    }

    private int queued(long nowMs) {
        return queues.values().stream()
                .filter(queue -> nowMs - queue.atMs() <= NODE_SILENT_MS)
                .mapToInt(NodeQueue::queued)
                .sum();
    }

    /** As the nodes see it that spoke lately, each with the same say. */
    private static MergedTarget target(String key, Track track, long nowMs) {
        TargetState gravest = TargetState.SERVING;
        double local = 0;
        int inFlight = 0;
        int nodes = 0;
        for (NodeView view : track.nodes().values()) {
            if (nowMs - view.atMs() <= NODE_SILENT_MS) {
                gravest = gravity(view.state()) > gravity(gravest) ? view.state() : gravest;
                local += view.local();
                inFlight += view.inFlight();
                nodes++;
            }
        }
        return new MergedTarget(
                key,
                track.score().health(nowMs),
                nodes == 0 ? 1 : local / nodes,
                state(gravest, track, nowMs),
                inFlight);
    }

    /** The gravest state that any node sees; where all see it serving, what the figures of all together say. */
    private static TargetState state(TargetState gravest, Track track, long nowMs) {
        if (gravest != TargetState.SERVING) {
            return gravest;
        }
        if (track.score().health(nowMs) <= HealthScore.HEALTH_FLOOR) {
            return TargetState.EJECTED;
        }
        return track.score().slow(nowMs) ? TargetState.SLOW : TargetState.SERVING;
    }

    private static int gravity(TargetState state) {
        return switch (state) {
            case SERVING -> 0;
            case SLOW -> 1;
            case WARMING -> 2;
            case PROBING -> 3;
            case EJECTED -> 4;
            case DRAINED -> 5;
        };
    }

    /** Whether time alone changes nothing of it any more that would be told: all is well, and no latency is remembered. */
    static boolean atRest(PoolHealthMerged merged) {
        return merged.latencyP95Ms() == 0
                && merged.targets().stream()
                        .allMatch(target -> target.health() > 1 - TOLD_MIN
                                && target.local() == 1
                                && target.state() == TargetState.SERVING);
    }

    /** Whether there is anything to tell; {@code before} is null where nothing was told yet. */
    static boolean differs(List<MergedTarget> before, List<MergedTarget> now) {
        if (before == null || before.size() != now.size()) {
            return true;
        }
        for (int i = 0; i < now.size(); i++) {
            MergedTarget old = before.get(i);
            MergedTarget fresh = now.get(i);
            if (!old.key().equals(fresh.key())
                    || old.state() != fresh.state()
                    || Math.abs(old.health() - fresh.health()) > TOLD_MIN
                    || Math.abs(old.local() - fresh.local()) > TOLD_MIN) {
                return true;
            }
        }
        return false;
    }
}
