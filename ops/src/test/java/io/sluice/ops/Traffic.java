package io.sluice.ops;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Requests at a steady pace, whatever became of the earlier ones, to one node of a cluster after the other: through a balancer, or to every
 * node. The balancer asks each node's {@code /readyz} every {@value #LOOK_MS} ms and passes over those that don't say yes. Nothing is sent
 * twice. Thread-safe.
 */
final class Traffic implements AutoCloseable {
    /** Requests a second that clusters are tested with; the property {@code sluice.rate} says another rate where a machine is too slow. */
    static final int PER_SECOND = Integer.getInteger("sluice.rate", 300);

    private static final int LOOK_MS = 200;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    /** More than a test's traffic has open when a node stalls; what is due beyond that is left out, and counted. */
    private static final int OPEN_MAX = 10 * PER_SECOND;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** So many looks in a row, a tenth of a second apart, show that no backlog is left. */
    private static final int CALM_LOOKS = 20;

    private final String key;
    private final Supplier<String> bodies;
    private final int perSecond;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final HttpClient looks = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .build();
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
    private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private final Map<String, Outcome> answered = new ConcurrentHashMap<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger leftOut = new AtomicInteger();
    private volatile List<Way> ways = List.of();
    private volatile Future<?> newest;
    private volatile long lastNs;
    private final List<Future<?>> repeated = new ArrayList<>();
    private long beganNs;
    private int turn;

    /** A node that takes requests, and the process that it is. */
    private record Way(int node, SluiceProcess process, String url) {}

    /**
     * What became of one request.
     *
     * @param process of the node that it was sent to
     * @param sentNs by {@link System#nanoTime}, like {@code endedNs}
     * @param status 0 where no whole answer came
     * @param traceId of the request; empty where no answer came
     * @param degraded why the answer is less than the best, or empty
     * @param text the answer, or why none came
     */
    record Outcome(
            int node,
            SluiceProcess process,
            long sentNs,
            long endedNs,
            int status,
            String traceId,
            String degraded,
            String text) {
        boolean wellServed() {
            return status == 200;
        }

        /** Whether the node was too busy for it, said so, and sent nothing: where one machine has all nodes and they start, that happens. */
        boolean turnedAway() {
            return (status == 429 && text.contains("queue_full"))
                    || (status == 503 && text.contains("caps_unavailable"));
        }

        boolean failed() {
            return !wellServed() && !turnedAway();
        }

        /** Of a refusal; empty where it is none. */
        String code() {
            try {
                return JSON.readTree(text).at("/error/code").asText();
            } catch (IOException none) {
                return "";
            }
        }
    }

    private Traffic(String key, Supplier<String> bodies, int perSecond) {
        this.key = key;
        this.bodies = bodies;
        this.perSecond = perSecond;
    }

    /** Starts it through a balancer; {@code body} is posted again and again. */
    static Traffic start(ClusterProcesses cluster, int size, String key, String body, int perSecond) {
        return start(cluster, size, key, () -> body, perSecond);
    }

    /** Starts it through a balancer; each of {@code bodies} is posted once. */
    static Traffic start(ClusterProcesses cluster, int size, String key, Supplier<String> bodies, int perSecond) {
        Traffic traffic = new Traffic(key, bodies, perSecond);
        Runnable look = () -> traffic.ways = IntStream.range(0, size)
                .mapToObj(index -> traffic.ready(index, cluster.node(index)))
                .filter(way -> way != null)
                .toList();
        look.run();
        traffic.repeated.add(traffic.clock.scheduleWithFixedDelay(look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS));
        return traffic.begin();
    }

    /** Starts it, to every node, ready or not; {@code body} is posted again and again. */
    static Traffic toEach(SplitCluster cluster, String key, String body, int perSecond) throws IOException {
        List<Way> all = new ArrayList<>();
        for (int index = 0; index < cluster.size(); index++) {
            SluiceProcess process = cluster.node(index);
            all.add(new Way(index, process, process.fact("Apps")));
        }
        Traffic traffic = new Traffic(key, () -> body, perSecond);
        traffic.ways = List.copyOf(all);
        return traffic.begin();
    }

    private Traffic begin() {
        beganNs = System.nanoTime();
        repeated.add(clock.scheduleAtFixedRate(this::send, 0, 1_000_000 / perSecond, TimeUnit.MICROSECONDS));
        return this;
    }

    /** Null where the node is not there or not ready. */
    private Way ready(int index, SluiceProcess process) {
        try {
            if (process == null) {
                return null;
            }
            HttpRequest ready = HttpRequest.newBuilder(URI.create(process.management() + "/readyz"))
                    .timeout(Duration.ofSeconds(1))
                    .build();
            int status =
                    looks.send(ready, HttpResponse.BodyHandlers.discarding()).statusCode();
            return status == 200 ? new Way(index, process, process.fact("Apps")) : null;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return null;
        } catch (IOException | RuntimeException notThere) {
            return null;
        }
    }

    private void send() {
        List<Way> now = ways;
        lastNs = System.nanoTime();
        if (now.isEmpty() || open.get() > OPEN_MAX) {
            leftOut.incrementAndGet();
            return;
        }
        Way way = now.get(Math.floorMod(turn++, now.size()));
        long sentNs = lastNs;
        open.incrementAndGet();
        HttpRequest chat = HttpRequest.newBuilder(
                        SluiceProcess.chat(way.url() + "/chat/completions", key, bodies.get()), (name, value) -> true)
                .timeout(ANSWER_MAX)
                .build();
        newest = http.sendAsync(chat, HttpResponse.BodyHandlers.ofString()).whenComplete((answer, broken) -> {
            Outcome outcome = broken == null ? answered(way, sentNs, answer) : lost(way, sentNs, cause(broken));
            outcomes.add(outcome);
            if (broken == null) {
                answered.put(outcome.traceId(), outcome);
            }
            open.decrementAndGet();
        });
    }

    private static Outcome answered(Way way, long sentNs, HttpResponse<String> answer) {
        return new Outcome(
                way.node(),
                way.process(),
                sentNs,
                System.nanoTime(),
                answer.statusCode(),
                answer.headers().firstValue("x-request-id").orElse(""),
                answer.headers().firstValue("x-sluice-degraded").orElse(""),
                answer.body());
    }

    private static Outcome lost(Way way, long sentNs, Throwable cause) {
        return new Outcome(way.node(), way.process(), sentNs, System.nanoTime(), 0, "", "", cause.toString());
    }

    private static Throwable cause(Throwable broken) {
        return broken instanceof CompletionException && broken.getCause() != null ? broken.getCause() : broken;
    }

    /** What was sent, and how fast. */
    String load() {
        int sent = outcomes.size() + open.get();
        double seconds = (lastNs - beganNs) / 1e9;
        long[] sortedNs = outcomes.stream()
                .mapToLong(each -> each.endedNs() - each.sentNs())
                .sorted()
                .toArray();
        return "%d requests in %.1f s, %.0f a second, %d more left out; ended after %d ms (half), %d ms (99 of 100)"
                .formatted(
                        sent,
                        seconds,
                        sent / seconds,
                        leftOut.get(),
                        TimeUnit.NANOSECONDS.toMillis(sortedNs[sortedNs.length / 2]),
                        TimeUnit.NANOSECONDS.toMillis(sortedNs[sortedNs.length * 99 / 100]));
    }

    List<Outcome> outcomes(Predicate<Outcome> which) {
        return outcomes.stream().filter(which).toList();
    }

    /** What became of the request with such a trace id; null where that is not known, or not yet. */
    Outcome outcome(String traceId) {
        return answered.get(traceId);
    }

    long count(Predicate<Outcome> which) {
        return outcomes.stream().filter(which).count();
    }

    /** Waits until so many more requests were served well. */
    void awaitServed(int more) throws Exception {
        long wanted = count(Outcome::wellServed) + more;
        ClusterProcesses.eventually(more + " more served", () -> count(Outcome::wellServed) >= wanted);
    }

    /** Waits until answers come as fast as requests go: a JVM that has just begun is slow, and what came meanwhile waits. */
    void awaitPace() throws Exception {
        AtomicInteger calm = new AtomicInteger();
        ClusterProcesses.eventually("nodes that bear " + perSecond + " requests a second", () -> {
            calm.set(open.get() <= perSecond / 5 ? calm.get() + 1 : 0);
            return calm.get() >= CALM_LOOKS;
        });
    }

    /** Waits until each of {@code nodes} has so many of {@code which}. */
    void await(String what, int count, Predicate<Outcome> which, int... nodes) throws Exception {
        for (int node : nodes) {
            ClusterProcesses.eventually(
                    what + " at node " + node, () -> count(each -> each.node() == node && which.test(each)) >= count);
        }
    }

    /** Sends nothing more and waits for what is under way; what became of all. */
    List<Outcome> end() throws Exception {
        repeated.forEach(each -> each.cancel(false));
        ClusterProcesses.eventually("the last answers", () -> open.get() == 0);
        return List.copyOf(outcomes);
    }

    @Override
    public void close() {
        clock.shutdownNow();
        if (newest != null) {
            newest.cancel(true);
        }
    }
}
