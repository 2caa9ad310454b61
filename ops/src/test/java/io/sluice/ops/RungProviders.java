package io.sluice.ops;

import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The providers of a scenario's first rung and of its substitute. Each request has a number, so that they know where it came first: a
 * shifted request starts at the substitute, one that failed comes there later; one for which the first rung has no place goes down
 * without having been there, and its answer says so. Thread-safe.
 */
final class RungProviders implements AutoCloseable {
    static final String TENANT = "acme";

    private static final int ANSWER_MS = 20;

    private static final double TAIL = 0.15;

    private static final Pattern NUMBER = Pattern.compile("request (\\d+)");

    private final AtomicLong numbers = new AtomicLong();
    private final Set<Long> seen = ConcurrentHashMap.newKeySet();
    private final Queue<Start> starts = new ConcurrentLinkedQueue<>();
    private final ScriptedUpstream first = ScriptedUpstream.playing((request, wire) -> play(false, request, wire));
    private final ScriptedUpstream second = ScriptedUpstream.playing((request, wire) -> play(true, request, wire));
    private volatile Behaviour firstBehaves = Behaviour.WELL;
    private volatile Behaviour secondBehaves = Behaviour.WELL;

    /**
     * How a provider answers.
     *
     * @param tailMs how long 15 % of the answers take: enough for the p95, and too few to look like a provider that has too many calls at
     *     once, which would have a limit, and requests that descend at once
     * @param failing share of calls that it fails, 0 to 1
     */
    record Behaviour(int tailMs, double failing) {
        static final Behaviour WELL = new Behaviour(ANSWER_MS, 0);

        static final Behaviour BAD = new Behaviour(ANSWER_MS, 0.8);

        /** Slow and failing, two troubles, where {@code usualMs} is what its calls usually take: on a busy machine a part of that is not its own. */
        static Behaviour troubled(double usualMs) {
            return new Behaviour((int) (500 + 3 * usualMs), 0.3);
        }
    }

    /**
     * Where a request came first.
     *
     * @param traceId of the request
     * @param atMs since 1970, by this machine's clock, which is the nodes' too
     */
    record Start(String traceId, boolean atSubstitute, long atMs) {}

    private void play(boolean substitute, ScriptedUpstream.Request request, ScriptedUpstream.Wire wire)
            throws IOException, InterruptedException {
        Matcher number = NUMBER.matcher(request.body());
        if (number.find() && seen.add(Long.valueOf(number.group(1)))) {
            String traceId = request.headers().get("traceparent").substring(3, 35);
            starts.add(new Start(traceId, substitute, System.currentTimeMillis()));
        }
        Behaviour now = substitute ? secondBehaves : firstBehaves;
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Thread.sleep(random.nextDouble() < TAIL ? now.tailMs() : ANSWER_MS);
        boolean fails = random.nextDouble() < now.failing();
        wire.json(fails ? 500 : 200, fails ? "{\"error\":{\"message\":\"broken\"}}" : Sse.whole("an answer", 10, 2));
    }

    void first(Behaviour now) {
        firstBehaves = now;
    }

    void substitute(Behaviour now) {
        secondBehaves = now;
    }

    /** The body of a chat that was not there before. */
    String next() {
        return "{\"model\":\"auto\",\"max_tokens\":10,\"messages\":[{\"role\":\"user\",\"content\":\"request "
                + numbers.incrementAndGet() + "\"}]}";
    }

    /** In the order in which they came. */
    List<Start> starts() {
        return List.copyOf(starts);
    }

    /** Makes a tenant with the scenario {@code chat} over both; a key of its app. */
    String onboard(Admin root) throws Exception {
        ShiftTenant.make(root, TENANT, first.baseUrl(), second.baseUrl());
        return BillingProvider.key(root, TENANT, "app").get("key").asText();
    }

    @Override
    public void close() {
        first.close();
        second.close();
    }
}
