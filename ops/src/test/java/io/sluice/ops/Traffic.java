package io.sluice.ops;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
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
 * Requests at a steady pace through a balancer: it asks every node's {@code /readyz} every {@value #LOOK_MS} ms and gives the next
 * request to the next node that said yes. Nothing is sent twice. Thread-safe.
 */
final class Traffic implements AutoCloseable {
    private static final int LOOK_MS = 200;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    /** More than a test's traffic may have open when a node stalls. */
    private static final int OPEN_MAX = 2_000;

    private final ClusterProcesses cluster;
    private final int size;
    private final String key;
    private final Supplier<String> bodies;
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
    private final AtomicInteger open = new AtomicInteger();
    private volatile List<Way> ways = List.of();
    private volatile Future<?> newest;
    private Future<?> looking;
    private Future<?> sending;
    private int turn;

    /** A node that takes requests, and the process that it is. */
    private record Way(int node, SluiceProcess process, String url) {}

    /**
     * What became of one request.
     *
     * @param process of the node that it was sent to
     * @param sentNs by {@link System#nanoTime}, like {@code endedNs}
     * @param status 0 where no whole answer came
     * @param text the answer, or why none came
     */
    record Outcome(int node, SluiceProcess process, long sentNs, long endedNs, int status, String text) {
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
    }

    private Traffic(ClusterProcesses cluster, int size, String key, Supplier<String> bodies) {
        this.cluster = cluster;
        this.size = size;
        this.key = key;
        this.bodies = bodies;
    }

    /** Starts it; {@code body} is posted again and again. */
    static Traffic start(ClusterProcesses cluster, int size, String key, String body, int perSecond) {
        return start(cluster, size, key, () -> body, perSecond);
    }

    /** Starts it; each of {@code bodies} is posted once. */
    static Traffic start(ClusterProcesses cluster, int size, String key, Supplier<String> bodies, int perSecond) {
        Traffic traffic = new Traffic(cluster, size, key, bodies);
        traffic.look();
        traffic.looking = traffic.clock.scheduleWithFixedDelay(traffic::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        traffic.sending =
                traffic.clock.scheduleAtFixedRate(traffic::send, 0, 1_000_000 / perSecond, TimeUnit.MICROSECONDS);
        return traffic;
    }

    private void look() {
        ways = IntStream.range(0, size)
                .mapToObj(this::way)
                .filter(way -> way != null)
                .toList();
    }

    /** Null where node {@code index} is not there or not ready. */
    private Way way(int index) {
        SluiceProcess process = cluster.node(index);
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
        if (now.isEmpty() || open.get() > OPEN_MAX) {
            return;
        }
        Way way = now.get(Math.floorMod(turn++, now.size()));
        long sentNs = System.nanoTime();
        open.incrementAndGet();
        HttpRequest chat = HttpRequest.newBuilder(
                        SluiceProcess.chat(way.url() + "/chat/completions", key, bodies.get()), (name, value) -> true)
                .timeout(ANSWER_MAX)
                .build();
        newest = http.sendAsync(chat, HttpResponse.BodyHandlers.ofString()).whenComplete((answer, broken) -> {
            outcomes.add(
                    broken == null
                            ? outcome(way, sentNs, answer.statusCode(), answer.body())
                            : outcome(way, sentNs, 0, cause(broken).toString()));
            open.decrementAndGet();
        });
    }

    private static Outcome outcome(Way way, long sentNs, int status, String text) {
        return new Outcome(way.node(), way.process(), sentNs, System.nanoTime(), status, text);
    }

    private static Throwable cause(Throwable broken) {
        return broken instanceof CompletionException && broken.getCause() != null ? broken.getCause() : broken;
    }

    int ended() {
        return outcomes.size();
    }

    long count(Predicate<Outcome> which) {
        return outcomes.stream().filter(which).count();
    }

    /** Waits until so many more requests were served well. */
    void awaitServed(int more) throws Exception {
        long wanted = count(Outcome::wellServed) + more;
        ClusterProcesses.eventually(more + " more served", () -> count(Outcome::wellServed) >= wanted);
    }

    /** Sends nothing more and waits for what is under way; what became of all. */
    List<Outcome> end() throws Exception {
        looking.cancel(false);
        sending.cancel(false);
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
