package io.sluice.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.ModelConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Show 4: SIGKILL in the middle of mutations. */
@Timeout(120)
class KilledControlPlaneIT {
    @TempDir
    Path directory;

    @RepeatedTest(3)
    void everyAcknowledgedMutationIsThereAndNoneIsHalf() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Mutator.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .start();
        Set<Integer> acknowledged = new TreeSet<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("acknowledged ")) {
                    acknowledged.add(Integer.parseInt(line.substring("acknowledged ".length())));
                }
                if (acknowledged.size() == 200) {
                    // Process.destroyForcibly would close the pipe before the last lines are read.
                    process.toHandle().destroyForcibly();
                }
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(200);
        try (Running again = new Running(directory)) {
            Map<String, ModelConfig> models = again.plane
                    .configuration()
                    .tenants()
                    .get(new TenantId("acme"))
                    .catalog()
                    .models();
            for (int number : acknowledged) {
                assertThat(models).containsKeys("a" + number, "b" + number);
            }
            long firsts =
                    models.keySet().stream().filter(id -> id.matches("a\\d+")).count();
            long seconds =
                    models.keySet().stream().filter(id -> id.matches("b\\d+")).count();
            assertThat(firsts).isEqualTo(seconds);
            assertThat(Running.await(again.plane.verifyAudit())).isEmpty();
        }
    }
}
