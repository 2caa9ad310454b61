package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code up} and {@code simulator} as processes. */
class UpIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> ROUTE_HEADERS =
            List.of("x-sluice-model", "x-sluice-step", "x-sluice-attempts", "x-sluice-epoch", "x-request-id");

    /** For tests that only ask. */
    private static SluiceProcess shared;

    @TempDir
    static Path sharedDirectory;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() throws Exception {
        shared = SluiceProcess.up(sharedDirectory.resolve("data"));
    }

    @AfterAll
    static void stop() {
        shared.close();
    }

    @Test
    void answersThePastedLineWholeWithTheReasonsInTheHeaders() throws Exception {
        HttpResponse<String> answer = shared.send(shared.pasted(0));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().map()).containsKeys(ROUTE_HEADERS.toArray(String[]::new));
        assertThat(answer.headers().firstValue("x-sluice-model"))
                .get()
                .asString()
                .startsWith("sim-");
        JsonNode message = JSON.readTree(answer.body()).at("/choices/0/message");
        assertThat(message.path("role").asText()).isEqualTo("assistant");
        assertThat(message.path("content").asText()).isNotBlank();
    }

    @Test
    void answersThePastedLineAsAStreamWithTheReasonsInTheHeaders() throws Exception {
        HttpResponse<String> answer = shared.send(shared.pasted(1));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().map()).containsKeys(ROUTE_HEADERS.toArray(String[]::new));
        assertThat(answer.headers().firstValue("content-type")).get().asString().startsWith("text/event-stream");
        assertThat(answer.body().strip()).startsWith("data: {").endsWith("data: [DONE]");
    }

    @Test
    void tellsItsStateAndTakesTheTokenItShowed() throws Exception {
        String token = shared.shownToken();

        assertThat(shared.get(shared.management() + "/readyz").statusCode()).isEqualTo(200);
        assertThat(shared.get(shared.management() + "/livez").statusCode()).isEqualTo(200);
        assertThat(shared.get(shared.management() + "/metrics").body()).contains("jvm_memory_used_bytes");
        assertThat(shared.graphql(token, "{ tenants { nodes { id } } }").body()).contains("\"id\":\"demo\"");
        assertThat(shared.graphql("wrong", "{ tenants { nodes { id } } }").statusCode())
                .isEqualTo(401);
    }

    @Test
    void keepsKeyAndTokenOverARestart() throws Exception {
        String key;
        String token;
        try (SluiceProcess first = SluiceProcess.up(data())) {
            key = first.demoKey();
            token = first.shownToken();
            first.terminate();
            assertThat(first.exitCode()).isZero();
        }

        try (SluiceProcess second = SluiceProcess.up(data())) {
            assertThat(second.demoKey()).isEqualTo(key);
            assertThat(second.fact("Admin token")).startsWith("shown at the first start");
            assertThat(second.send(second.pasted(0)).statusCode()).isEqualTo(200);
            assertThat(second.graphql(token, "{ me { name } }").statusCode()).isEqualTo(200);
        }
        assertThat(Files.getPosixFilePermissions(data().resolve("demo.key")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void leavesAChangeOfTheDemoAlone() throws Exception {
        try (SluiceProcess first = SluiceProcess.up(data())) {
            String token = first.shownToken();
            assertThat(first.graphql(
                                    token,
                                    "mutation { updateTenant(input: {id: \\\"demo\\\", version: 1,"
                                            + " displayName: \\\"Ours\\\"}) { userErrors { message } } }")
                            .body())
                    .contains("\"userErrors\":[]");
            first.terminate();
            first.exitCode();
        }

        try (SluiceProcess second = SluiceProcess.start(
                directory,
                Map.of("SLUICE_PORT", "0", "SLUICE_ADMIN_PORT", "0", "SLUICE_ADMIN_TOKEN", "our-own-token"),
                "up",
                "--data-dir",
                data().toString())) {
            second.awaitReady();

            assertThat(second.graphql("our-own-token", "{ tenant(id: \\\"demo\\\") { displayName } }")
                            .body())
                    .contains("Ours");
        }
    }

    @Test
    void letsARunningStreamEndAndRefusesNewRequestsWhileItDrains() throws Exception {
        try (SluiceProcess up = SluiceProcess.up(data())) {
            HttpResponse<Stream<String>> stream = up.open(up.chat(longStream()));
            Iterator<String> lines = stream.body().iterator();
            assertThat(lines.next()).startsWith("data: {");

            up.terminate();
            HttpResponse<String> late = awaitRefusal(up);

            assertThat(late.body()).contains("draining");
            String last = "";
            while (lines.hasNext()) {
                String line = lines.next();
                last = line.isEmpty() ? last : line;
            }
            assertThat(last).isEqualTo("data: [DONE]");
            assertThat(up.exitCode()).isZero();
        }
    }

    /** The signal needs a moment to arrive. */
    private static HttpResponse<String> awaitRefusal(SluiceProcess up) throws Exception {
        HttpRequest request = up.pasted(0);
        HttpResponse<String> answer = up.send(request);
        for (int i = 0; i < 200 && answer.statusCode() == 200; i++) {
            Thread.sleep(10);
            answer = up.send(request);
        }
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(up.get(up.management() + "/readyz").statusCode()).isEqualTo(503);
        return answer;
    }

    /** An echo of 1,500 words at some 200 a second. */
    private static String longStream() {
        return "{\"model\":\"auto\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\""
                + "word ".repeat(1_500) + "\"}]}";
    }

    @Test
    void hasNoDemoWhenEmpty() throws Exception {
        try (SluiceProcess up = SluiceProcess.up(data(), "--empty")) {
            String token = up.shownToken();

            assertThat(up.graphql(token, "{ tenants { totalCount } }").body()).contains("\"totalCount\":0");
            assertThat(up.printed()).doesNotContain("curl");
            assertThat(up.get(up.management() + "/graphiql/").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void startsFromAFile() throws Exception {
        Path file = Files.writeString(
                directory.resolve("sluice.yaml"),
                "dataDir: " + data() + "\nadminToken: from-the-file\nlisteners: {port: 0, adminPort: 0}\n");
        try (SluiceProcess up = SluiceProcess.start(directory, Map.of(), "up", "--config", file.toString())) {
            up.awaitReady();

            assertThat(up.fact("Admin token")).startsWith("the one of the settings");
            assertThat(up.graphql("from-the-file", "{ me { role } }").body()).contains("PLATFORM_ADMIN");
        }
    }

    @Test
    void namesAPortThatIsInUseAndShowsTheTokenThatThisStartMade() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                SluiceProcess up = SluiceProcess.start(
                        directory,
                        Map.of("SLUICE_PORT", Integer.toString(taken.getLocalPort()), "SLUICE_ADMIN_PORT", "0"),
                        "up",
                        "--data-dir",
                        data().toString())) {
            assertThat(up.exitCode()).isEqualTo(1);
            assertThat(up.printed())
                    .startsWith("sluice: port " + taken.getLocalPort())
                    .contains("SLUICE_PORT")
                    .contains("the administrator's token, shown only now: gwa_");
        }
    }

    @Test
    void namesADataDirectoryThatIsInUse() throws Exception {
        String taken = shared.fact("Data");
        try (SluiceProcess second = SluiceProcess.start(
                directory, Map.of("SLUICE_PORT", "0", "SLUICE_ADMIN_PORT", "0"), "up", "--data-dir", taken)) {
            assertThat(second.exitCode()).isEqualTo(1);
            assertThat(second.printed()).startsWith("sluice: another process uses the data directory " + taken);
            assertThat(shared.send(shared.pasted(0)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void writesNoPromptAndNoKeyToTheLog() throws Exception {
        try (SluiceProcess up = SluiceProcess.up(data())) {
            up.send(up.chat("{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"canary-prompt\"}]}"));
            String key = up.demoKey();
            up.terminate();
            assertThat(up.exitCode()).isZero();

            String log = Files.readString(data().resolve("logs").resolve("sluice.log"));
            assertThat(log).doesNotContain("canary-prompt").doesNotContain(key);
            for (String line : log.lines().toList()) {
                assertThat(JSON.readTree(line).isObject()).isTrue();
            }
        }
    }

    @Test
    void namesABrokenPluginJarAndStartsWithoutIt() throws Exception {
        Path jar = Files.createDirectories(data().resolve("plugins")).resolve("broken.jar");
        Files.writeString(jar, "this is no jar");
        try (SluiceProcess up = SluiceProcess.up(data())) {
            assertThat(up.fact("Not used")).startsWith("plugin broken.jar: ");
            assertThat(up.send(up.pasted(0)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void servesTheSimulatorByItself() throws Exception {
        try (SluiceProcess simulator = SluiceProcess.start(directory, Map.of(), "simulator", "--port", "0")) {
            simulator.awaitReady();
            String address = simulator.printed().replaceAll("(?s).*(http://\\S+).*", "$1");

            assertThat(simulator.get(address + "/models").body()).contains("simulated");
            simulator.terminate();
            assertThat(simulator.exitCode()).isZero();
        }
    }

    @Test
    void namesEveryMistakeInAScript() throws Exception {
        Path script = Files.writeString(directory.resolve("script.json"), "{\"latencyMs\":-1,\"speed\":2}");
        try (SluiceProcess simulator =
                SluiceProcess.start(directory, Map.of(), "simulator", "--port", "0", "--script", script.toString())) {
            assertThat(simulator.exitCode()).isEqualTo(2);
            assertThat(simulator.printed()).contains("latencyMs").contains("speed");
        }
    }

    private Path data() {
        return directory.resolve("data");
    }
}
