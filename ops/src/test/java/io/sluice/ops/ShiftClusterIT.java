package io.sluice.ops;

import static io.sluice.ops.Traffic.PER_SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.ops.RungProviders.Behaviour;
import io.sluice.ops.RungProviders.Start;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes and a real Redis: the node that moves a scenario's traffic is killed while it does. What is claimed of shares is counted
 * where requests arrive, at the providers.
 */
@Timeout(900)
@Tag("chaos")
class ShiftClusterIT {
    private static final int NODES = 3;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Far above what a busy machine needs. */
    private static final long WAIT_S = 300;

    /** So many requests in a row that start at one rung show that no node sends them elsewhere. */
    private static final int ROW = 4 * PER_SECOND;

    /**
     * A trouble is a multiple of what is usual. Where that is more, 15 % of the answers take so long that the first rung looks like a
     * provider that has too many calls at once.
     */
    private static final double USUAL_MS_MAX = 250;

    private static final List<Double> STEPS = List.of(0.0, 1.0, 5.0, 10.0, 25.0, 50.0, 100.0);

    private static final String SETTINGS = ClusterProcesses.SETTINGS + """
            breaker:
              timeRate: 1
              countRate: 1
              consecutiveMax: 100000
            shifts:
              samples: 2
              slowed: PT2S
            """;

    private static final String QUICK = SETTINGS + """
              sample: PT5S
              baselineStep: PT10S
              hold: PT6S
              rest: PT5M
            """;

    /** Calls are judged by samples as long as those of a real shift. */
    private static final String REAL_SAMPLES = SETTINGS + """
              sample: PT15S
              baselineStep: PT20S
              hold: PT10S
              rest: PT5M
            """;

    @TempDir
    Path directory;

    private final RungProviders providers = new RungProviders();
    private final NavigableMap<Long, JsonNode> states = new TreeMap<>();
    private final TreeSet<Integer> alive = new TreeSet<>(List.of(0, 1, 2));
    private final Map<String, Way> decided = new HashMap<>();
    private ClusterProcesses cluster;
    private Traffic traffic;
    private String key;

    /** Until it is known what is usual. */
    private void start(String settings) throws Exception {
        cluster = ClusterProcesses.start(directory, new ClusterProcesses.Shape(NODES, settings, false));
        key = providers.onboard(cluster.admin(0));
        cluster.awaitOneEpoch();
        traffic = Traffic.start(cluster, NODES, key, providers::next, PER_SECOND);
        traffic.awaitPace();
        until(
                "what is usual is known, and is not the start of the nodes",
                now -> !now.get("baselineP95Ms").isNull()
                        && now.get("baselineP95Ms").asDouble() < USUAL_MS_MAX);
    }

    @AfterEach
    void stop() {
        if (traffic != null) {
            traffic.close();
        }
        if (cluster != null) {
            cluster.close();
        }
        providers.close();
    }

    @Test
    void aShiftGoesOnFromItsStepWhenTheNodeThatMovesItIsKilled(TestReporter figures) throws Exception {
        start(QUICK);
        JsonNode before = trouble(25);
        long killedMs = killOwner();

        JsonNode resumed = until("another node moves it", now -> version(now) > version(before));
        until("the last step", now -> phase(now).equals("HOLDING"));
        awaitRow(true);
        end();

        assertThat(phase(before)).isEqualTo("SHIFTING");
        assertThat(sinceMs(resumed)).isGreaterThanOrEqualTo(killedMs);
        assertThat(percent(resumed)).as("goes on from %s", before).isEqualTo(percent(before));
        JsonNode next = states.higherEntry(version(resumed)).getValue();
        Share kept = arrived(killedMs, sinceMs(next));
        assertThat(kept.notBelow(percent(resumed) / 100))
                .as("%s after the kill at %s", kept, resumed)
                .isTrue();
        assertFollowsItsSteps(Long.MAX_VALUE);
        figures.publishEntry(Map.of(
                "load",
                traffic.load(),
                "moved by another node after the kill, ms",
                "" + (sinceMs(resumed) - killedMs)));
    }

    @Test
    void aSubstituteThatTurnsBadHasNoTrafficAMinuteLaterThoughTheNodeThatMovesItIsKilled(TestReporter figures)
            throws Exception {
        start(REAL_SAMPLES);
        trouble(10);
        providers.substitute(Behaviour.BAD);
        long badMs = System.currentTimeMillis();
        killOwner();

        JsonNode back = until("all traffic is back", now -> phase(now).equals("RESTING"));
        awaitRow(false);
        long calmMs = System.currentTimeMillis();
        awaitRow(false);
        end();

        assertThat(back.get("reason").asText()).startsWith("the substitute second is worse: ");
        List<Long> worseMs = new ArrayList<>();
        for (Start start : providers.starts()) {
            if (start.atMs() >= badMs && way(start) == Way.SHIFTED) {
                worseMs.add(start.atMs());
            }
        }
        assertThat(worseMs).as("calls that were worse").isNotEmpty();
        long lastMs = Collections.max(worseMs);
        assertThat(lastMs - badMs)
                .as("ms from the first worse answer to the last")
                .isLessThan(60_000);
        assertFollowsItsSteps(calmMs);
        figures.publishEntry(Map.of(
                "load",
                traffic.load(),
                "last worse answer after, ms",
                "" + (lastMs - badMs),
                "worse answers",
                "" + worseMs.size()));
    }

    /**
     * The first rung gets into trouble until so much is shifted; what a node said then. Where the machine changes its speed, what was far
     * too slow becomes usual before two samples have shown it: then the trouble gets worse.
     */
    private JsonNode trouble(double percent) throws Exception {
        return until(percent + " % are shifted", now -> {
            if (phase(now).equals("OFF")) {
                providers.first(Behaviour.troubled(now.get("baselineP95Ms").asDouble()));
            }
            return percent(now) >= percent;
        });
    }

    /** Kills the node that moves the traffic; the time at which that began: another node may have taken over before it is known to be dead here. */
    private long killOwner() throws Exception {
        String owner = ask(alive.first()).get("ownerNode").asText();
        int index = Integer.parseInt(owner.replace("node-", ""));
        alive.remove(index);
        long killedMs = System.currentTimeMillis();
        cluster.node(index).kill();
        cluster.forget(index);
        return killedMs;
    }

    private JsonNode ask(int node) throws Exception {
        JsonNode shift = cluster.admin(node)
                .ask("{ tenant(id: \"acme\") { scenarios { shift { version phase percent sinceAt reason baselineP95Ms"
                        + " ownerNode } } } }")
                .at("/tenant/scenarios/0/shift");
        if (!phase(shift).equals("OFF")) {
            JsonNode known = states.putIfAbsent(version(shift), shift);
            assertThat(known == null || percent(known) == percent(shift))
                    .as("one version is one state: %s, %s", known, shift)
                    .isTrue();
        }
        return shift;
    }

    /** Looks until it is so at every node that lives; what the last one said. */
    private JsonNode until(String what, Predicate<JsonNode> enough) throws Exception {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
        while (true) {
            List<JsonNode> seen = new ArrayList<>();
            for (int node : alive) {
                seen.add(ask(node));
            }
            if (seen.stream().allMatch(enough)) {
                return seen.get(seen.size() - 1);
            }
            assertThat(System.nanoTime()).as("%s: still %s", what, seen).isLessThan(endNs);
            Thread.sleep(100);
        }
    }

    /** Waits for {@link #ROW} requests in a row that start at the substitute, or at the first rung. */
    private void awaitRow(boolean atSubstitute) throws Exception {
        int before = providers.starts().size();
        ClusterProcesses.eventually("all requests start at one rung", () -> {
            List<Start> starts = providers.starts();
            if (starts.size() < before + ROW) {
                return false;
            }
            for (Start start : starts.subList(starts.size() - ROW, starts.size())) {
                Way way = way(start);
                if ((way == Way.SHIFTED || way == Way.UNKNOWN) != atSubstitute) {
                    return false;
                }
            }
            return true;
        });
    }

    /** Sends nothing more, and waits until it is known of all requests how they came where they came first; but for those of the dead. */
    private void end() throws Exception {
        traffic.end();
        ClusterProcesses.eventually("the decisions of all", () -> {
            for (Start start : providers.starts()) {
                Traffic.Outcome outcome = traffic.outcome(start.traceId());
                if (outcome != null && outcome.process().runs() && way(start) == Way.UNKNOWN) {
                    return false;
                }
            }
            return true;
        });
    }

    /** How a request came where it came first. */
    private enum Way {
        FIRST_RUNG,
        SHIFTED,
        /** The first rung was taken for one that has too many calls at once, as happens where the machine is busy. */
        WENT_DOWN,
        /** Under way, or known only to a node that is dead. */
        UNKNOWN
    }

    /** By the answer where that says it: a refusal does not, and who was called twice says how the first call failed. Then by the decision. */
    private Way way(Start start) throws Exception {
        if (!start.atSubstitute()) {
            return Way.FIRST_RUNG;
        }
        Traffic.Outcome outcome = traffic.outcome(start.traceId());
        if (outcome == null) {
            return Way.UNKNOWN;
        }
        if (outcome.degraded().equals("shifted")) {
            return Way.SHIFTED;
        }
        Way known = decided.getOrDefault(start.traceId(), Way.UNKNOWN);
        if (known == Way.UNKNOWN) {
            known = outcome.process().runs() ? asDecided(outcome) : asAnswered(outcome);
            decided.put(start.traceId(), known);
        }
        return known;
    }

    /** Of a node that is dead: another reason in an answer counts, and who was refused is not known. */
    private static Way asAnswered(Traffic.Outcome outcome) {
        return outcome.wellServed() ? Way.WENT_DOWN : Way.UNKNOWN;
    }

    /** By the decision record that the request's node has, as soon as it is written. */
    private Way asDecided(Traffic.Outcome outcome) throws Exception {
        URI record = URI.create(outcome.process().fact("Apps") + "/decisions/" + outcome.traceId());
        HttpResponse<String> answer = outcome.process()
                .send(HttpRequest.newBuilder(record)
                        .header("authorization", "Bearer " + key)
                        .build());
        if (answer.statusCode() != 200) {
            return Way.UNKNOWN;
        }
        JsonNode start = JSON.readTree(answer.body()).at("/plan/start");
        return start.has("shift") && !start.get("passedOver").asBoolean() ? Way.SHIFTED : Way.WENT_DOWN;
    }

    /** Of the requests that came to a provider then, how many were shifted; who waits at the first rung is not among them. */
    private Share arrived(long fromMs, long untilMs) throws Exception {
        long known = 0;
        long shifted = 0;
        for (Start start : providers.starts()) {
            if (start.atMs() >= fromMs && start.atMs() < untilMs) {
                Way way = way(start);
                known += way == Way.UNKNOWN ? 0 : 1;
                shifted += way == Way.SHIFTED ? 1 : 0;
            }
        }
        return new Share(known, shifted);
    }

    /**
     * Of all requests that were under way at some time between, how many came to the substitute between because they were shifted. Those
     * that wait for the first rung, or end without having been at any, are requests of which the step took no more than its share.
     */
    private Share share(long fromMs, long untilMs) throws Exception {
        Set<String> unknown = new HashSet<>();
        long shifted = 0;
        for (Start start : providers.starts()) {
            Way way = way(start);
            if (way == Way.UNKNOWN) {
                unknown.add(start.traceId());
            }
            shifted += way == Way.SHIFTED && start.atMs() >= fromMs && start.atMs() < untilMs ? 1 : 0;
        }
        long of = traffic.count(each -> !each.traceId().isEmpty()
                && !unknown.contains(each.traceId())
                && ms(each.sentNs()) < untilMs
                && ms(each.endedNs()) >= fromMs);
        return new Share(of, shifted);
    }

    /** As a time since 1970. */
    private static long ms(long ns) {
        return System.currentTimeMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - ns);
    }

    /**
     * One step up at a time, or down to nothing; and what the substitute had while a step was in force is not more than the step allows.
     *
     * @param calmMs when the requests had ended that were under way at the way back
     */
    private void assertFollowsItsSteps(long calmMs) throws Exception {
        List<JsonNode> all = List.copyOf(states.values());
        assertNotAbove(0, share(0, sinceMs(all.get(0))), "before");
        for (int i = 0; i < all.size(); i++) {
            JsonNode state = all.get(i);
            double before = i == 0 ? 0 : percent(all.get(i - 1));
            boolean down = percent(state) < before;
            if (down) {
                assertThat(percent(state)).isZero();
            } else {
                assertThat(STEPS.indexOf(percent(state)))
                        .as("%s", state)
                        .isBetween(STEPS.indexOf(before), STEPS.indexOf(before) + 1);
            }
            long untilMs = i + 1 < all.size() ? sinceMs(all.get(i + 1)) : Long.MAX_VALUE;
            assertNotAbove(percent(state) / 100, share(down ? calmMs : sinceMs(state), untilMs), state.toString());
        }
    }

    private static void assertNotAbove(double step, Share share, String state) {
        assertThat(share.notAbove(step)).as("%s, where %s", share, state).isTrue();
    }

    private static String phase(JsonNode shift) {
        return shift.get("phase").asText();
    }

    private static double percent(JsonNode shift) {
        return shift.get("percent").asDouble();
    }

    private static long version(JsonNode shift) {
        return shift.get("version").asLong();
    }

    private static long sinceMs(JsonNode shift) {
        return Instant.parse(shift.get("sinceAt").asText()).toEpochMilli();
    }
}
