package io.sluice.control.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.store.StoreException;
import io.sluice.control.webhook.AlertStore.Delivery;
import io.sluice.control.webhook.AlertStore.Outcome;
import io.sluice.tenants.TenantId;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteAlertStoreTest {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
    private static final Instant MIDNIGHT = Instant.parse("2026-12-01T00:00:00Z");

    @TempDir
    Path directory;

    private AlertStore store;

    @BeforeEach
    void open() {
        store = SqliteAlertStore.open(directory.resolve("webhooks.db"));
    }

    @AfterEach
    void close() throws Exception {
        await(store.close());
    }

    private static Alert alert(String webhook, String event) {
        return new Alert(
                new Alert.Key(new TenantId("acme"), webhook, event),
                "acme|2026-11-30|day-tenant",
                "threshold|0.5|100",
                NOON,
                MIDNIGHT,
                "{}");
    }

    private List<String> due(Instant now) throws Exception {
        return await(store.due(now)).stream()
                .map(delivery -> delivery.alert().key().event() + " " + delivery.attempts())
                .sorted()
                .toList();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void anAlertIsThereOnceHoweverOftenItIsAddedAndSurvivesARestart() throws Exception {
        await(store.add(List.of(alert("ops", "e1"))));
        await(store.add(List.of(alert("ops", "e1"), alert("cfo", "e1"))));
        await(store.close());
        open();

        assertThat(await(store.told(NOON))).containsExactly(alert("ops", "e1"), alert("cfo", "e1"));
        assertThat(await(store.told(MIDNIGHT))).isEmpty();
    }

    @Test
    void theOldestOfEachWebhookIsDueSoThatNoneHoldsUpAnother() throws Exception {
        await(store.add(List.of(alert("ops", "e1"), alert("ops", "e2"), alert("cfo", "e3"))));
        assertThat(due(NOON)).containsExactly("e1 0", "e3 0");

        await(store.failed(alert("ops", "e1").key(), 3, NOON.plusSeconds(8)));
        await(store.ended(alert("cfo", "e3").key(), Outcome.DELIVERED));

        assertThat(due(NOON)).containsExactly("e2 0");
        await(store.ended(alert("ops", "e2").key(), Outcome.DROPPED));
        assertThat(due(NOON.plusSeconds(7))).isEmpty();
        assertThat(due(NOON.plusSeconds(8))).containsExactly("e1 3");
    }

    @Test
    void thePlatformsAlertsHaveNoTenant() throws Exception {
        Alert low = new Alert(new Alert.Key(null, Alert.Key.AUDIT, "e1"), "|openai", "balance|1", NOON, MIDNIGHT, "{}");
        await(store.add(List.of(low)));
        assertThat(await(store.due(NOON))).extracting(Delivery::alert).containsExactly(low);
    }

    @Test
    void onlyWhatIsEndedAndOverIsForgotten() throws Exception {
        await(store.add(List.of(alert("ops", "e1"), alert("ops", "e2"))));
        await(store.ended(alert("ops", "e1").key(), Outcome.GIVEN_UP));

        await(store.purge(MIDNIGHT));
        assertThat(await(store.told(NOON))).hasSize(2);
        await(store.purge(MIDNIGHT.plusSeconds(1)));
        assertThat(await(store.told(NOON))).containsExactly(alert("ops", "e2"));
    }

    @Test
    void aFileThatIsNoStoreIsRefusedWithItsName() throws Exception {
        Path file = directory.resolve("broken.db");
        Files.writeString(file, "not a database, but long enough to be read as one");
        assertThatThrownBy(() -> SqliteAlertStore.open(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("broken.db");
    }
}
