package io.sluice.ops;

import static io.sluice.ops.Traffic.PER_SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ops.Traffic.Outcome;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes under {@link Traffic#PER_SECOND} requests a second, of which one stalls and another dies as soon as the first is back. The
 * property {@code sluice.pauseSeconds} says how long it stalls.
 */
@Timeout(400)
@Tag("chaos")
class PauseClusterIT {
    private static final int NODES = 3;
    private static final String CHAT = BillingProvider.chat(100);
    private static final int CALLS = 100;
    private static final int PAUSE_S = Integer.getInteger("sluice.pauseSeconds", 30);

    /** Twice what it takes: five seconds of a look for others are Hazelcast's wait for the node that died. */
    private static final Duration BACK_MAX = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final BillingProvider provider = new BillingProvider();
    private final Kills kills = new Kills();
    private ClusterProcesses cluster;
    private Traffic traffic;
    private String key;

    @BeforeEach
    void start() throws Exception {
        cluster =
                ClusterProcesses.start(directory, new ClusterProcesses.Shape(NODES, ClusterProcesses.SETTINGS, false));
        key = provider.onboard(cluster.admin(0), "paused");
        cluster.awaitOneEpoch();
        traffic = Traffic.start(cluster, NODES, key, CHAT, PER_SECOND);
        traffic.awaitPace();
    }

    @AfterEach
    void stop() {
        if (traffic != null) {
            traffic.close();
        }
        if (cluster != null) {
            cluster.close();
        }
        provider.close();
    }

    /** CL04. */
    @Test
    void nodesReachEachOtherAfterAPauseAndADeath(TestReporter figures) throws Exception {
        SluiceProcess stalled = cluster.node(2);
        stalled.pause();
        TimeUnit.SECONDS.sleep(PAUSE_S);
        stalled.resume();
        long resumedNs = System.nanoTime();
        kills.kill(cluster.node(1));
        cluster.forget(1);
        cluster.awaitMembers(2);
        String first = serve(0);
        String third = serve(2);
        ClusterProcesses.eventually("an answer of the third node", () -> found(0, third));
        ClusterProcesses.eventually("an answer of the first node", () -> found(2, first));
        Duration back = Duration.ofNanos(System.nanoTime() - resumedNs);
        figures.publishEntry("nodes reach each other after", back.toMillis() + " ms");

        for (int call = 0; call < CALLS; call++) {
            assertThat(found(0, third)).as("call %d of the first node", call).isTrue();
            assertThat(found(2, first)).as("call %d of the third node", call).isTrue();
        }
        traffic.awaitPace();
        List<Outcome> outcomes = traffic.end();
        figures.publishEntry("load", traffic.load());
        assertThat(back).isLessThanOrEqualTo(BACK_MAX);
        assertThat(outcomes)
                .filteredOn(each -> each.failed() && !kills.lost(each) && each.process() != stalled)
                .isEmpty();
    }

    /** Has a node serve a request, whose decision only this node keeps, however often it turns others away before; the trace id. */
    private String serve(int index) throws Exception {
        SluiceProcess node = cluster.node(index);
        AtomicReference<String> served = new AtomicReference<>();
        ClusterProcesses.eventually("an answer of node " + index, () -> {
            HttpResponse<String> answer =
                    node.send(SluiceProcess.chat(node.fact("Apps") + "/chat/completions", key, CHAT));
            served.set(answer.headers().firstValue("x-request-id").orElseThrow());
            return answer.statusCode() == 200;
        });
        return served.get();
    }

    private boolean found(int asked, String traceId) throws Exception {
        SluiceProcess node = cluster.node(asked);
        HttpRequest request = HttpRequest.newBuilder(URI.create(node.fact("Apps") + "/decisions/" + traceId))
                .header("authorization", "Bearer " + key)
                .build();
        return node.send(request).statusCode() == 200;
    }
}
