package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes, of which one stalls for a minute and another dies as soon as the first is back. */
@Timeout(400)
@Tag("chaos")
class PauseClusterIT {
    private static final String CHAT =
            "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"Why is the sky blue?\"}]}";

    private static final int CALLS = 100;
    private static final long PAUSE_S = 60;

    @TempDir
    Path directory;

    private ClusterProcesses cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = ClusterProcesses.start(directory, 3);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** CL04. */
    @Test
    void nodesReachEachOtherAfterAPauseAndADeath(TestReporter figures) throws Exception {
        cluster.node(2).pause();
        TimeUnit.SECONDS.sleep(PAUSE_S);
        cluster.node(2).resume();
        long resumedNs = System.nanoTime();
        cluster.node(1).kill();
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
    }

    /** Has a node serve a request, whose decision only this node keeps; the trace id. */
    private String serve(int index) throws Exception {
        HttpResponse<String> answer =
                cluster.node(index).send(cluster.node(index).chat(CHAT));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.headers().firstValue("x-request-id").orElseThrow();
    }

    private boolean found(int asked, String traceId) throws Exception {
        SluiceProcess node = cluster.node(asked);
        HttpRequest request = HttpRequest.newBuilder(URI.create(node.fact("Apps") + "/decisions/" + traceId))
                .header("authorization", "Bearer " + node.demoKey())
                .build();
        return node.send(request).statusCode() == 200;
    }
}
