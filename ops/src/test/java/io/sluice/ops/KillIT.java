package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.store.ConfigStore;
import io.sluice.control.store.SqliteConfigStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kill -9 in the middle of configuration changes: what was acknowledged is kept, and nothing is half. */
@Timeout(300)
class KillIT {
    private static final int MUTATIONS = 200;

    /** So that several changes wait for one write to the disk. */
    private static final int AT_ONCE = 8;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 190})
    void keepsEveryAcknowledgedMutationAndNoneByHalf(int killedAfter) throws Exception {
        Path data = directory.resolve("data");
        Set<Integer> acknowledged;
        String token;
        long before;
        try (SluiceProcess sluice = SluiceProcess.up(data, "--empty")) {
            token = sluice.shownToken();
            Admin root = new Admin(sluice, token);
            root.tenant("acme");
            before = epoch(root);
            acknowledged = mutateAndKill(root, killedAfter);
        }

        try (SluiceProcess again = SluiceProcess.up(data, "--empty")) {
            Admin root = new Admin(again, token);
            Set<String> models = new HashSet<>(root.ask("{ tenant(id: \"acme\") { models { id } } }")
                    .get("tenant")
                    .findValuesAsText("id"));
            int applied = 0;
            for (int i = 0; i < MUTATIONS; i++) {
                boolean there = models.contains("first-" + i);
                assertThat(models.contains("second-" + i))
                        .as("mutation %s is whole", i)
                        .isEqualTo(there);
                assertThat(there || !acknowledged.contains(i))
                        .as("acknowledged mutation %s is there", i)
                        .isTrue();
                applied += there ? 1 : 0;
            }
            assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(killedAfter);
            assertThat(models).hasSize(2 * applied);
            assertThat(epoch(root)).isEqualTo(before + applied);
            again.terminate();
            assertThat(again.exitCode()).isZero();
        }
        assertThat(auditMistakes(data)).isEmpty();
    }

    /** The mutations that were acknowledged before the process, killed after so many of them, could answer no more. */
    private static Set<Integer> mutateAndKill(Admin root, int killedAfter) throws Exception {
        Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
        CountDownLatch enough = new CountDownLatch(killedAfter);
        AtomicBoolean refused = new AtomicBoolean();
        ExecutorService senders = Executors.newFixedThreadPool(AT_ONCE);
        for (int i = 0; i < MUTATIONS; i++) {
            int number = i;
            senders.execute(() -> {
                try {
                    root.make("applyConfig", "epoch", input("tenantId", "acme", "document", document(number)));
                    acknowledged.add(number);
                    enough.countDown();
                } catch (IOException killed) {
                    // What a client sees of a process that is gone.
                } catch (Exception | AssertionError unexpected) {
                    refused.set(true);
                }
            });
        }
        senders.shutdown();
        assertThat(enough.await(60, TimeUnit.SECONDS)).isTrue();
        root.sluice().close();
        assertThat(senders.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        assertThat(refused).as("a mutation was refused").isFalse();
        return acknowledged;
    }

    /** Two objects in one change. */
    private static Map<String, Object> document(int number) {
        return Map.of(
                "models",
                List.of(
                        input("id", "first-" + number, "contextWindow", 8_192, "maxOutputTokens", 2_048),
                        input("id", "second-" + number, "contextWindow", 8_192, "maxOutputTokens", 2_048)));
    }

    private static long epoch(Admin root) throws Exception {
        return root.ask("{ cluster { epoch } }").at("/cluster/epoch").asLong();
    }

    private static List<String> auditMistakes(Path data) throws Exception {
        ConfigStore store = SqliteConfigStore.open(data.resolve("config.db"));
        try {
            return store.verifyAudit().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        } finally {
            store.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        }
    }
}
