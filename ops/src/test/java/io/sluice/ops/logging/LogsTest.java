package io.sluice.ops.logging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.ops.settings.Settings.AttemptLog;
import io.sluice.ops.settings.Settings.LogTarget;
import io.sluice.ops.settings.Settings.Logging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LogsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    @Test
    void writesOneJsonObjectALineWithTheTraceId() throws IOException {
        List<String> lines = logged(
                "io.sluice.test",
                logger ->
                        logger.atWarn().addKeyValue("trace", "4bf92f3577b34da6").log("the upstream refused"));

        JsonNode line = JSON.readTree(only(lines));
        assertThat(line.path("level").asText()).isEqualTo("WARN");
        assertThat(line.path("formattedMessage").asText()).isEqualTo("the upstream refused");
        assertThat(line.path("kvpList").toString()).contains("\"trace\":\"4bf92f3577b34da6\"");
    }

    @Test
    void letsNoTextFromOutsideBeginALine() throws IOException {
        List<String> lines = logged(
                "io.sluice.test",
                logger -> logger.warn(
                        "host {}", "x\r\n{\"level\":\"ERROR\",\"formattedMessage\":\"forged\"}\u001b[2J\u0085"));

        assertThat(only(lines)).doesNotContain("\u001b");
    }

    @Test
    void writesTheCauseOfAnError() throws IOException {
        List<String> lines =
                logged("io.sluice.test", logger -> logger.error("failed", new IllegalStateException("the cause")));

        assertThat(JSON.readTree(only(lines)).path("throwable").path("message").asText())
                .isEqualTo("the cause");
    }

    @Test
    void hearsLibrariesFromWarningsOn() throws IOException {
        assertThat(logged("io.netty.test", logger -> logger.info("chatter"))).isEmpty();
    }

    private interface Act {
        void on(Logger logger);
    }

    private List<String> logged(String name, Act act) throws IOException {
        try (Logs logs = Logs.open(new Logging(AttemptLog.FAILURES, LogTarget.FILE), directory)) {
            assertThat(logs).isNotNull();
            act.on(LoggerFactory.getLogger(name));
        }
        return Files.readAllLines(Logs.file(directory));
    }

    private static String only(List<String> lines) {
        assertThat(lines).hasSize(1);
        return lines.get(0);
    }
}
