package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ops.PacedClient.Tally;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes of the packaged jar: they find each other, miss who is gone, and take back who returns. */
class MembershipClusterIT {
    private static final String CHAT =
            "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"Why is the sky blue?\"}]}";

    /** Longer than the others need to see that a member is dead. */
    private static final long PAUSE_MS = 12_000;

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

    @Test
    void findsADecisionOfWhicheverNodeFromEveryNode() throws Exception {
        assertThat(linesOfLogs()).isNotEmpty().noneMatch(line -> line.contains("starting without Redis"));
        for (int served = 0; served < 3; served++) {
            String traceId = serve(served);
            for (int asked = 0; asked < 3; asked++) {
                awaitDecision(asked, traceId);
                assertThat(decisionForApps(asked, traceId).statusCode())
                        .as("served by %d, asked of %d", served, asked)
                        .isEqualTo(200);
            }
        }
    }

    private List<String> linesOfLogs() throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path each : files.filter(file -> file.toString().endsWith(".log"))
                    .filter(file -> file.getParent().endsWith("logs"))
                    .toList()) {
                lines.addAll(Files.readAllLines(each));
            }
        }
        return lines;
    }

    @Tag("chaos")
    @Test
    void listsWhoIsLeftAfterAKillAndWhoCameBack() throws Exception {
        cluster.node(2).kill();
        cluster.forget(2);
        cluster.awaitMembers(2);
        assertThat(cluster.membersSeenBy(0)).containsExactly("node-0", "node-1");

        cluster.begin(2).awaitReady();
        cluster.awaitMembers(3);
        awaitDecision(0, serve(2));
    }

    @Tag("chaos")
    @Test
    void takesANodeBackThatWasPausedWithoutARestart() throws Exception {
        cluster.node(1).pause();
        ClusterProcesses.eventually(
                "the others go on alone", () -> cluster.membersSeenBy(0).size() == 2);
        Thread.sleep(PAUSE_MS);
        cluster.node(1).resume();

        cluster.awaitMembers(3);
        awaitDecision(1, serve(0));
        awaitDecision(2, serve(1));
    }

    @Test
    void failsNoRequestWhenANodeIsStopped() throws Exception {
        PacedClient client = new PacedClient(cluster, CHAT);
        client.begin();
        client.awaitAnswers(40);

        cluster.node(1).terminate();
        assertThat(cluster.node(1).exitCode()).isZero();
        cluster.forget(1);
        cluster.awaitMembers(2);
        client.awaitAnswers(40);

        Tally tally = client.end();
        assertThat(tally.failures()).isEmpty();
    }

    /** Has node {@code index} serve a request; the trace id of its decision. */
    private String serve(int index) throws Exception {
        HttpResponse<String> answer =
                cluster.node(index).send(cluster.node(index).chat(CHAT));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.headers().firstValue("x-request-id").orElseThrow();
    }

    private void awaitDecision(int asked, String traceId) throws Exception {
        ClusterProcesses.eventually(
                "decision " + traceId + " from node " + asked,
                () -> cluster.node(asked)
                        .graphql(
                                ClusterProcesses.ADMIN_TOKEN,
                                "{ decision(traceId: \\\"" + traceId + "\\\") { traceId } }")
                        .body()
                        .contains("\"traceId\":\"" + traceId + "\""));
    }

    private HttpResponse<String> decisionForApps(int asked, String traceId) throws Exception {
        SluiceProcess node = cluster.node(asked);
        return node.send(HttpRequest.newBuilder(URI.create(node.fact("Apps") + "/decisions/" + traceId))
                .header("authorization", "Bearer " + node.demoKey())
                .build());
    }
}
