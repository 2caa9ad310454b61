package io.sluice.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.api.CommandOutcome;
import io.sluice.control.api.UnavailableException;
import io.sluice.control.config.Given;
import io.sluice.control.store.MemoryConfigLog;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.ModelConfig;
import io.vertx.core.Future;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several control planes that share one log of changes. */
@Timeout(180)
class SharedConfigurationIT {
    private static final int NODES = 3;
    private static final int EDITS = 1_000;
    private static final int COUNTED = 60;

    @TempDir
    Path directory;

    private final MemoryConfigLog log = new MemoryConfigLog();
    private final List<Running> nodes = new ArrayList<>();

    @BeforeEach
    void begin() throws IOException {
        for (int i = 0; i < NODES; i++) {
            nodes.add(Running.follower(Files.createDirectory(directory.resolve("node-" + i)), log));
        }
    }

    @AfterEach
    void end() {
        nodes.forEach(Running::close);
    }

    @Test
    void aThousandConcurrentEditsFromThreeNodesAreAllThereAndEveryNodeServesTheSameEpoch() throws Exception {
        nodes.get(0).withAcme();
        await(() -> nodes.stream()
                .allMatch(node -> node.plane.configuration().tenants().containsKey(acme())));
        List<Future<CommandOutcome>> edits = new ArrayList<>();
        for (int i = 0; i < EDITS; i++) {
            edits.add(nodes.get(i % NODES).plane.execute(Running.ROOT, Given.model("acme", "model-" + i)));
        }
        for (Future<CommandOutcome> edit : edits) {
            assertThat(Running.await(edit).errors()).isEmpty();
        }

        await(() -> nodes.stream()
                        .map(node -> node.plane.configuration().epoch())
                        .distinct()
                        .count()
                == 1);

        for (Running node : nodes) {
            assertThat(models(node).size()).isEqualTo(EDITS + 2);
            assertThat(Running.await(node.plane.verifyAudit())).isEmpty();
        }
    }

    @Test
    void ofEditsOfOneObjectNoneIsLost() throws Exception {
        nodes.get(0).withAcme();
        await(() -> nodes.stream()
                .allMatch(node -> node.plane.configuration().tenants().containsKey(acme())));
        int before = small(nodes.get(0)).contextWindow();
        List<Thread> editors = new ArrayList<>();
        for (Running node : nodes) {
            Thread editor = new Thread(() -> count(node));
            editors.add(editor);
            editor.start();
        }
        for (Thread editor : editors) {
            editor.join();
        }
        await(() -> nodes.stream().allMatch(node -> small(node).contextWindow() == before + NODES * COUNTED));
    }

    /** Adds one to a figure, on the version that it has read, until it was stored so often. */
    private static void count(Running node) {
        int stored = 0;
        while (stored < COUNTED) {
            ModelConfig read = small(node);
            CommandOutcome outcome = node.execute(Given.with(
                    Given.with(Given.model("acme", "small"), "version", read.version()),
                    "contextWindow",
                    read.contextWindow() + 1));
            stored += outcome.errors().isEmpty() ? 1 : 0;
        }
    }

    @Test
    void whileTheLogIsAwayEveryNodeServesAndSaysThatNothingCanBeChanged() throws Exception {
        nodes.get(0).withAcme();
        await(() -> nodes.stream()
                .allMatch(node -> node.plane.configuration().tenants().containsKey(acme())));
        log.away(true);
        for (Running node : nodes) {
            assertThatThrownBy(() -> node.execute(Given.model("acme", "late")))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("nothing can be changed now");
            assertThat(models(node).size()).isEqualTo(2);
        }
        log.away(false);
        assertThat(nodes.get(1).execute(Given.model("acme", "later")).errors()).isEmpty();
        await(() -> nodes.stream().allMatch(node -> models(node).containsKey("later")));
    }

    /** As Vert.x's look-ups of handlers do while a node is missed that was there. */
    @Test
    void aChangeServesAtANodeWhoseWorkersAllWaitForSomethingElse() throws Exception {
        Running busy = nodes.get(1);
        CountDownLatch waiting = new CountDownLatch(VertxOptions.DEFAULT_WORKER_POOL_SIZE);
        CountDownLatch answered = new CountDownLatch(1);
        for (int i = 0; i < VertxOptions.DEFAULT_WORKER_POOL_SIZE; i++) {
            busy.vertx.executeBlocking(
                    () -> {
                        waiting.countDown();
                        return answered.await(120, TimeUnit.SECONDS);
                    },
                    false);
        }
        assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
        try {
            nodes.get(0).withAcme();
            await(() -> busy.plane.configuration().tenants().containsKey(acme()));
            assertThat(busy.execute(Given.model("acme", "here")).errors()).isEmpty();
        } finally {
            answered.countDown();
        }
    }

    private static TenantId acme() {
        return new TenantId("acme");
    }

    private static Map<String, ModelConfig> models(Running node) {
        return node.plane.configuration().tenants().get(acme()).catalog().models();
    }

    private static ModelConfig small(Running node) {
        return models(node).get("small");
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("still waiting").isLessThan(end);
            Thread.sleep(10);
        }
    }
}
