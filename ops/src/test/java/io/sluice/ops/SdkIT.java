package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real clients against the running product: the checks are in {@code src/test/sdk}, in the clients' own languages, and each is
 * a test here. The clients are installed once into {@code target/sdk}.
 */
class SdkIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path SOURCES = Path.of("src", "test", "sdk").toAbsolutePath();
    private static final Path INSTALLED = Path.of("target", "sdk").toAbsolutePath();
    private static final int LARGE_BODY_BYTES = 2 << 20;

    @TempDir
    static Path directory;

    private static Scenes scenes;
    private static SluiceProcess sluice;
    private static Map<String, String> environment;

    @BeforeAll
    static void onboard() throws Exception {
        scenes = new Scenes();
        sluice = SluiceProcess.up(directory.resolve("data"), "--empty");
        Admin admin = new Admin(sluice, sluice.shownToken());
        admin.tenant("acme");
        admin.model("acme", "small");
        // A pool for each kind of failure, so that no failure closes the way for another check.
        for (String pool : List.of("main", "e400", "e401", "e429", "e503", "e529", "error", "cut")) {
            admin.pool("acme", pool, scenes.baseUrl(), "small");
        }
        admin.pool("acme", "away", "http://127.0.0.1:" + nobodysPort() + "/v1", "small");
        admin.make(
                "putScenario",
                "",
                input(
                        "tenantId",
                        "acme",
                        "name",
                        "support",
                        "sensitivity",
                        "CREATIVE",
                        "kind",
                        "READ",
                        "ladder",
                        List.of(Map.of("name", "normal", "pool", "main"))));
        environment = Map.of(
                "SLUICE_URL",
                sluice.fact("Apps"),
                "SLUICE_KEY",
                key(admin, input("tenantId", "acme", "appId", "app", "defaultScenario", "support")),
                "SLUICE_NARROW_KEY",
                key(
                        admin,
                        input(
                                "tenantId",
                                "acme",
                                "appId",
                                "app",
                                "defaultScenario",
                                "support",
                                "models",
                                List.of("main"))));
    }

    private static String key(Admin admin, Map<String, Object> input) throws Exception {
        return admin.make("createApiKey", "key", input).get("key").asText();
    }

    private static int nobodysPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @AfterAll
    static void stop() {
        sluice.close();
        scenes.close();
    }

    @TestFactory
    Stream<DynamicTest> worksWithTheOpenAiSdkForJavaScript() throws Exception {
        return node(environment, "openai.mjs", "openai");
    }

    @TestFactory
    Stream<DynamicTest> worksWithTheOpenAiSdkForJavaScriptOfTheMajorBefore() throws Exception {
        return node(environment, "openai.mjs", "openai-6");
    }

    @TestFactory
    Stream<DynamicTest> tellsTheOpenAiSdkWhenItIsTooMuch() throws Exception {
        try (SluiceProcess own = SluiceProcess.up(directory.resolve("throttled"), "--empty")) {
            return node(Map.of("SLUICE_URL", own.fact("Apps")), "throttle.mjs");
        }
    }

    @TestFactory
    Stream<DynamicTest> worksWithTheAiSdk() throws Exception {
        return node(environment, "ai.mjs");
    }

    @TestFactory
    Stream<DynamicTest> worksWithTheOpenAiSdkForPython() throws Exception {
        Path home = install("python", "requirements.txt", "openai_sdk.py");
        Path python = home.resolve("venv").resolve("bin").resolve("python");
        if (changed(home, "requirements.txt")) {
            Tool.run(home, Map.of(), "python3", "-m", "venv", "--clear", "venv");
            Tool.run(
                    home,
                    Map.of(),
                    python.toString(),
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    "-r",
                    "requirements.txt");
            done(home, "requirements.txt");
        }
        return checks(Tool.run(home, environment, python.toString(), "openai_sdk.py"));
    }

    private static Stream<DynamicTest> node(Map<String, String> environment, String... command) throws Exception {
        Path home = install("node", "package.json", "checks.mjs", "openai.mjs", "ai.mjs", "throttle.mjs");
        if (changed(home, "package.json")) {
            Tool.run(
                    home,
                    Map.of(),
                    "npm",
                    "install",
                    "--no-package-lock",
                    "--no-audit",
                    "--no-fund",
                    "--ignore-scripts",
                    "--loglevel=error");
            done(home, "package.json");
        }
        List<String> words = new ArrayList<>(List.of("node"));
        words.addAll(List.of(command));
        return checks(Tool.run(home, environment, words.toArray(String[]::new)));
    }

    /** Copies the checks to where their client is installed. */
    private static Path install(String name, String... files) throws IOException {
        Path home = Files.createDirectories(INSTALLED.resolve(name));
        for (String file : files) {
            Files.copy(SOURCES.resolve(file), home.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        return home;
    }

    /** Whether what is installed is not what the list of packages says. */
    private static boolean changed(Path home, String list) throws IOException {
        Path installed = home.resolve("installed");
        return !Files.exists(installed) || Files.mismatch(installed, home.resolve(list)) >= 0;
    }

    private static void done(Path home, String list) throws IOException {
        Files.copy(home.resolve(list), home.resolve("installed"), StandardCopyOption.REPLACE_EXISTING);
    }

    /** One test for each line that a script printed; its last line says how many there must be. */
    private static Stream<DynamicTest> checks(String printed) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : printed.lines().toList()) {
            if (line.startsWith("{")) {
                lines.add(JSON.readTree(line));
            }
        }
        assertThat(lines).as(printed).isNotEmpty();
        JsonNode last = lines.remove(lines.size() - 1);
        assertThat(last.path("done").asInt()).as(printed).isPositive().isEqualTo(lines.size());
        return lines.stream()
                .map(line -> DynamicTest.dynamicTest(
                        line.get("name").asText(),
                        () -> assertThat(line.get("ok").asBoolean())
                                .as(line.path("detail").asText())
                                .isTrue()));
    }

    @Test
    void answersCurlWhole() throws Exception {
        String printed = curl("{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"scene: hello\"}]}");

        assertThat(printed).startsWith("HTTP/1.1 200").contains("x-sluice-step: normal", "\"Hello there\"");
    }

    @Test
    void answersCurlAsAStream() throws Exception {
        String printed = curl(
                "{\"model\":\"auto\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"scene: hello\"}]}",
                "-N");

        assertThat(printed).startsWith("HTTP/1.1 200").contains("content-type: text/event-stream", "\"Hello\"");
        assertThat(printed.strip()).endsWith("data: [DONE]");
    }

    @Test
    void takesALargeBodyFromCurlAfterSayingContinue() throws Exception {
        String body = "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"scene: length\"},"
                + "{\"role\":\"user\",\"content\":\"" + "x".repeat(LARGE_BODY_BYTES) + "\"}]}";

        String printed = curl(body, "-H", "Expect: 100-continue", "--expect100-timeout", "60");

        assertThat(printed).startsWith("HTTP/1.1 100").contains("HTTP/1.1 200");
        String length = JSON.readTree(printed.substring(printed.indexOf("\r\n\r\n{") + 4))
                .at("/choices/0/message/content")
                .asText();
        assertThat(Integer.parseInt(length)).isBetween(LARGE_BODY_BYTES, LARGE_BODY_BYTES + 1_000);
    }

    /** Headers and body of what curl got for a chat. */
    private static String curl(String body, String... more) throws Exception {
        Path file = Files.writeString(Files.createTempFile(directory, "body", ".json"), body);
        List<String> command = new ArrayList<>(List.of(
                "curl",
                "-sS",
                "-i",
                "--max-time",
                "120",
                environment.get("SLUICE_URL") + "/chat/completions",
                "-H",
                "Authorization: Bearer " + environment.get("SLUICE_KEY"),
                "-H",
                "Content-Type: application/json",
                "--data-binary",
                "@" + file));
        command.addAll(List.of(more));
        return Tool.run(directory, Map.of(), command.toArray(String[]::new));
    }
}
