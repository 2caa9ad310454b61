package io.sluice.control.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.drill.DrillStore.Pages;
import io.sluice.control.drill.Proven.Rung;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.drill.Proof;
import io.sluice.tenants.drill.RungTally;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteDrillStoreTest {
    private static final Proven PROVEN = new Proven(
            new Rung(DrillBookTest.ACME, "chat", "light"), Instant.parse("2026-01-01T10:00:00.123Z"), Proof.VERIFY);

    @TempDir
    private Path directory;

    private DrillStore open() {
        return SqliteDrillStore.open(directory.resolve("drills.db"));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void aNewStoreHoldsNothing() throws Exception {
        DrillStore store = open();
        assertThat(await(store.load())).isEqualTo(Pages.EMPTY);
        await(store.close());
    }

    @Test
    void whatWasSavedIsThereAfterAnotherStart() throws Exception {
        RungTally light = new RungTally(
                "light",
                2,
                1,
                Map.of(FailureClass.NETWORK, 1L),
                LatencyHistogram.of(new long[] {0, 1}),
                Money.of("0.5"));
        DrillTally empty = DrillBookTest.run(0);
        DrillTally run = new DrillTally(
                empty.tenant(), "d", "chat", "light", empty.from(), empty.until(), 0.5, 2, 1, 0, List.of(light));
        DrillStore store = open();
        await(store.save(new Pages(List.of(run), List.of(PROVEN)), List.of()));
        await(store.close());
        DrillStore again = open();
        assertThat(await(again.load())).isEqualTo(new Pages(List.of(run), List.of(PROVEN)));
        await(again.close());
    }

    @Test
    void aRunIsReplacedByItsNewerFiguresAndForgottenWhenItIsGone() throws Exception {
        DrillStore store = open();
        await(store.save(new Pages(List.of(DrillBookTest.run(0), DrillBookTest.run(1)), List.of()), List.of()));
        DrillTally more = DrillBookTest.run(1).plus(DrillBookTest.run(1));
        await(store.save(
                new Pages(List.of(more), List.of()),
                List.of(DrillBookTest.run(0).run())));
        assertThat(await(store.load()).runs()).containsExactly(more);
        await(store.close());
    }

    @Test
    void aFileThatIsNoStoreIsRefusedWithTheRemedy() throws Exception {
        Files.writeString(directory.resolve("drills.db"), "not a database, but long enough to be read as one");
        assertThatThrownBy(this::open).isInstanceOf(StoreException.class).hasMessageContaining("move the file away");
    }

    @Test
    void afterItsEndItTakesNothing() throws Exception {
        DrillStore store = open();
        await(store.close());
        assertThat(store.load().toCompletionStage().toCompletableFuture()).isCompletedExceptionally();
    }
}
