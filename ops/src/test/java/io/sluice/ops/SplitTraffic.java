package io.sluice.ops;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Chats of a {@link SplitTenant} at a steady pace at every node, whatever a node answers. Thread-safe. */
final class SplitTraffic implements AutoCloseable {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private final List<Future<?>> sending = new ArrayList<>();
    private volatile Future<?> newest;

    /**
     * What became of one chat.
     *
     * @param sentNs by {@link System#nanoTime}, like {@code endedNs}
     * @param status 0 where no answer came
     * @param code of a refusal; of an answer it is empty
     */
    record Outcome(int node, long sentNs, long endedNs, int status, String code) {
        boolean served() {
            return status == 200;
        }
    }

    /** Starts it. */
    SplitTraffic(SplitTenant tenant, int nodes, int perSecondAndNode) {
        for (int node = 0; node < nodes; node++) {
            int to = node;
            sending.add(clock.scheduleAtFixedRate(
                    () -> send(tenant, to),
                    node,
                    TimeUnit.SECONDS.toMillis(1) / perSecondAndNode,
                    TimeUnit.MILLISECONDS));
        }
    }

    private void send(SplitTenant tenant, int node) {
        long sentNs = System.nanoTime();
        try {
            newest = http.sendAsync(tenant.request(node), HttpResponse.BodyHandlers.ofString())
                    .whenComplete((answer, broken) -> outcomes.add(outcome(node, sentNs, answer)));
        } catch (IOException unknown) {
            outcomes.add(outcome(node, sentNs, null));
        }
    }

    private static Outcome outcome(int node, long sentNs, HttpResponse<String> answer) {
        long endedNs = System.nanoTime();
        if (answer == null) {
            return new Outcome(node, sentNs, endedNs, 0, "");
        }
        try {
            return new Outcome(node, sentNs, endedNs, answer.statusCode(), SplitTenant.code(answer));
        } catch (IOException notJson) {
            return new Outcome(node, sentNs, endedNs, 0, notJson.toString());
        }
    }

    List<Outcome> outcomes(Predicate<Outcome> which) {
        return outcomes.stream().filter(which).toList();
    }

    /** Waits until each of {@code nodes} has so many of {@code which}. */
    void await(String what, int count, Predicate<Outcome> which, int... nodes) throws Exception {
        for (int node : nodes) {
            ClusterProcesses.eventually(
                    what + " at node " + node,
                    () -> outcomes(each -> each.node() == node && which.test(each))
                                    .size()
                            >= count);
        }
    }

    @Override
    public void close() {
        sending.forEach(each -> each.cancel(false));
        clock.shutdownNow();
        if (newest != null) {
            newest.cancel(true);
        }
    }
}
