package io.sluice.control.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.webhook.AlertStore.Outcome;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.tenants.TenantId;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes with disks of their own in one cluster. */
class SharedAlertStoreTest {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
    private static final Instant MIDNIGHT = Instant.parse("2026-12-01T00:00:00Z");

    @TempDir
    Path directory;

    private final SoftStates states = new SoftStates.InMemory();
    private SharedAlertStore first;
    private SharedAlertStore second;

    @BeforeEach
    void open() {
        first = new SharedAlertStore(SqliteAlertStore.open(directory.resolve("first.db")), states);
        second = new SharedAlertStore(SqliteAlertStore.open(directory.resolve("second.db")), states);
    }

    @AfterEach
    void close() throws Exception {
        await(first.close());
        await(second.close());
    }

    private static Alert alert(String tenant, String event) {
        return new Alert(
                new Alert.Key(tenant == null ? null : new TenantId(tenant), "ops", event),
                "acme|2026-11-30|day-tenant",
                "threshold|0.5|100",
                NOON,
                MIDNIGHT,
                "{}");
    }

    private static List<String> due(AlertStore store) throws Exception {
        return await(store.due(NOON)).stream()
                .map(delivery -> delivery.alert().key().event())
                .toList();
    }

    private static List<String> told(AlertStore store) throws Exception {
        return await(store.told(NOON)).stream()
                .map(alert -> alert.key().event())
                .sorted()
                .toList();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void theNextOwnerBringsWhatTheLastDidNotAndTellsNothingAgain() throws Exception {
        await(first.add(List.of(alert("acme", "e1"))));
        assertThat(due(first)).containsExactly("e1");
        await(first.ended(alert("acme", "e1").key(), Outcome.DELIVERED));
        await(first.add(List.of(alert("acme", "e2"))));

        await(second.adopt(key -> true));

        assertThat(told(second)).containsExactly("e1", "e2");
        assertThat(due(second)).containsExactly("e2");
    }

    @Test
    void whatOthersOwnIsLeftAlone() throws Exception {
        await(first.add(List.of(alert("acme", "e1"), alert(null, "e2"))));

        await(second.adopt(key -> key.owned().isEmpty()));

        assertThat(told(second)).containsExactly("e2");
    }

    @Test
    void anAlertThatAnotherNodeToldIsNotDueAgain() throws Exception {
        await(first.add(List.of(alert("acme", "e1"))));
        due(first);
        await(first.ended(alert("acme", "e1").key(), Outcome.DELIVERED));

        await(second.add(List.of(alert("acme", "e1"), alert("acme", "e2"))));

        assertThat(told(second)).containsExactly("e1", "e2");
        assertThat(due(second)).containsExactly("e2");
    }

    @Test
    void whatTheOtherNodeEndedMeanwhileIsNotDueWhenTheTenantComesBack() throws Exception {
        await(first.add(List.of(alert("acme", "e1"))));
        await(second.adopt(key -> true));
        due(second);
        await(second.ended(alert("acme", "e1").key(), Outcome.DELIVERED));

        await(first.adopt(key -> true));

        assertThat(due(first)).isEmpty();
    }

    @Test
    void wordOfWhatIsOverIsForgotten() throws Exception {
        await(first.add(List.of(alert("acme", "e1"), alert("beta", "e2"))));
        due(first);
        await(first.ended(alert("acme", "e1").key(), Outcome.GIVEN_UP));

        await(first.purge(MIDNIGHT.plusSeconds(1)));

        assertThat(await(states.all("alerts"))).containsOnlyKeys("beta|ops|e2");
    }
}
