package io.sluice.ops;

import static io.sluice.ops.Traffic.PER_SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ops.Traffic.Outcome;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes under {@link Traffic#PER_SECOND} requests a second, of which one stalls for a minute and another dies as soon as the first is back. */
@Timeout(400)
@Tag("chaos")
class PauseClusterIT {
    private static final int NODES = 3;
    private static final String CHAT = BillingProvider.chat(100);
    private static final int CALLS = 100;
    private static final long PAUSE_S = 60;

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
        figures.publishEntry(
                "nodes reach each other after", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - resumedNs) + " ms");

        for (int call = 0; call < CALLS; call++) {
            assertThat(found(0, third)).as("call %d of the first node", call).isTrue();
            assertThat(found(2, first)).as("call %d of the third node", call).isTrue();
        }
        traffic.awaitPace();
        List<Outcome> outcomes = traffic.end();
        figures.publishEntry("load", traffic.load());
        assertThat(outcomes)
                .filteredOn(each -> each.failed() && !kills.lost(each) && each.process() != stalled)
                .isEmpty();
    }

    /** Has a node serve a request, whose decision only this node keeps; the trace id. */
    private String serve(int index) throws Exception {
        SluiceProcess node = cluster.node(index);
        HttpResponse<String> answer = node.send(SluiceProcess.chat(node.fact("Apps") + "/chat/completions", key, CHAT));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.headers().firstValue("x-request-id").orElseThrow();
    }

    private boolean found(int asked, String traceId) throws Exception {
        SluiceProcess node = cluster.node(asked);
        HttpRequest request = HttpRequest.newBuilder(URI.create(node.fact("Apps") + "/decisions/" + traceId))
                .header("authorization", "Bearer " + key)
                .build();
        return node.send(request).statusCode() == 200;
    }
}
