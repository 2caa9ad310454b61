package io.sluice.control.spend;

import static io.sluice.control.spend.Spent.ACME;
import static io.sluice.control.spend.Spent.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.SpendStatements;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tenant lives in Cairo, where 24 April 2026 begins at one o'clock. */
class SpendActorTest {
    private static final LocalDate DAY = LocalDate.of(2026, 4, 23);

    @TempDir
    Path directory;

    private final Vertx vertx = Vertx.vertx();
    private volatile Instant now = Instant.EPOCH;
    private SpendStore store;
    private SpendActor actor;

    @BeforeEach
    void start() throws Exception {
        store = SqliteSpendStore.open(directory.resolve("spend.db"), () -> now);
        TenantTree acme = TenantTree.of(new TenantConfig(ACME, 1, "Acme", ZoneId.of("Africa/Cairo"), "USD", false));
        Configuration configuration =
                new Configuration(1, Configuration.EMPTY.platform(), Map.of(ACME, acme), Map.of());
        actor = new SpendActor(
                new Bus(vertx), store, () -> configuration, () -> now, Duration.ofDays(35), new Owners.Alone("n1"));
        await(vertx.deployVerticle(actor));
        await(store.append(new Spent("n1")
                .add("2026-04-23T10:00:00Z", "shop", "m", 1, 1, "1")
                .add("2026-04-23T21:59:59Z", "shop", "m", 1, 1, "2")
                .add("2026-04-23T22:00:00Z", "shop", "m", 1, 1, "4")
                .next()));
    }

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
        await(store.close());
    }

    private List<SpendStatements.Day> closedAt(String time) throws Exception {
        now = Instant.parse(time);
        await(actor.closeDays());
        return await(store.statements(ACME, DAY, DAY.plusDays(3))).days();
    }

    @Test
    void closesADayAQuarterOfAnHourAfterItsEnd() throws Exception {
        assertThat(closedAt("2026-04-23T22:14:59Z")).isEmpty();
        assertThat(closedAt("2026-04-23T22:15:00Z")).singleElement().satisfies(day -> {
            assertThat(day.day()).isEqualTo(DAY);
            assertThat(day.charged().toString()).isEqualTo("3");
            assertThat(day.closing().tzdb()).matches("20[0-9]{2}[a-z]");
        });
        assertThat(closedAt("2026-04-24T20:00:00Z")).hasSize(1);
    }

    @Test
    void closesTheShortDayToo() throws Exception {
        List<SpendStatements.Day> days = closedAt("2026-04-25T12:00:00Z");
        assertThat(days).hasSize(2);
        SpendStatements.Closing shortDay = days.get(1).closing();
        assertThat(Duration.between(shortDay.from(), shortDay.until())).isEqualTo(Duration.ofHours(23));
        assertThat(days.get(1).charged().toString()).isEqualTo("4");
    }
}
