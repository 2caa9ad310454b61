package io.sluice.ops;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends a request every {@value #EVERY_MS} ms, to one node of a cluster after the other, as a balancer in front would: a node that takes
 * no connection or says that it is draining is passed over. One request at a time, on a thread of its own.
 */
final class PacedClient {
    private static final int EVERY_MS = 50;

    private static final int DRAINING = 503;

    private final List<HttpRequest> requests = new ArrayList<>();
    private final ClusterProcesses cluster;
    private final AtomicInteger answered = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::run, "paced-client");
    private volatile boolean ended;

    /** What became of the requests. */
    record Tally(int answered, List<String> failures) {}

    PacedClient(ClusterProcesses cluster, String body) throws IOException {
        this.cluster = cluster;
        for (int index = 0; index < 3; index++) {
            requests.add(cluster.node(index).chat(body));
        }
    }

    void begin() {
        thread.start();
    }

    /** Waits until so many more requests were answered. */
    void awaitAnswers(int more) throws Exception {
        int wanted = answered.get() + more;
        ClusterProcesses.eventually("answers", () -> answered.get() >= wanted || !failures.isEmpty());
    }

    Tally end() throws InterruptedException {
        ended = true;
        thread.join();
        return new Tally(answered.get(), List.copyOf(failures));
    }

    private void run() {
        try {
            for (int turn = 0; !ended; turn++) {
                send(turn);
                Thread.sleep(EVERY_MS);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(int turn) throws InterruptedException {
        for (int tried = 0; tried < requests.size(); tried++) {
            try {
                HttpResponse<String> answer = cluster.node(0).send(requests.get((turn + tried) % requests.size()));
                if (answer.statusCode() == 200) {
                    answered.incrementAndGet();
                    return;
                }
                if (answer.statusCode() != DRAINING || !answer.body().contains("draining")) {
                    failures.add(answer.statusCode() + " " + answer.body());
                    return;
                }
            } catch (ConnectException passedOver) {
                // the next node takes it
            } catch (InterruptedException stop) {
                throw stop;
            } catch (Exception broken) {
                failures.add(broken.toString());
                return;
            }
        }
        failures.add("no node took the request");
    }
}
