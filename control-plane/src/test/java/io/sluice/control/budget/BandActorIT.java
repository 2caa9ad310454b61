package io.sluice.control.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.budget.CapWatch.BandChange;
import io.sluice.control.owner.MovableOwners;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.message.BusMessage.BandsPublished;
import io.sluice.tenants.message.BusMessage.CapsPublished;
import io.sluice.tenants.message.CapBand;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The owner of the bands on the bus. */
class BandActorIT {
    private static final TenantId ACME = new TenantId("acme");
    private static final AccountKey DAY = AccountKey.ofKey("acme|2026-11-30|day-tenant");
    private static final Instant OPENS = Instant.parse("2026-11-30T00:00:00Z");
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

    private final SpendCapConfig cap = new SpendCapConfig(
            "day-tenant",
            1,
            CapScope.TENANT,
            null,
            CapPeriod.DAY,
            Money.of("100"),
            0.7,
            0.9,
            AtExhaustion.REFUSE,
            null);
    private final TenantTree acme = TenantTree.of(new TenantConfig(ACME, 1, "Acme", ZoneId.of("UTC"), "USD", false))
            .with(cap);
    private final Configuration configuration = Configuration.EMPTY.with(acme);
    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final SoftStates states = new SoftStates.InMemory();
    private final Map<String, String> owners = new ConcurrentHashMap<>();
    private final CapBoard board = new CapBoard();
    private final BlockingQueue<BandsPublished> told = new LinkedBlockingQueue<>();
    private final BlockingQueue<BandChange> noted = new LinkedBlockingQueue<>();

    @BeforeEach
    void start() throws Exception {
        owners.put("acme", "n1");
        await(bus.on(Address.BANDS, told::add));
        node("n1", board);
    }

    private void node(String name, CapBoard itsBoard) throws Exception {
        await(vertx.deployVerticle(new BandActor(
                bus,
                new MovableOwners(name, owners),
                states,
                () -> configuration,
                itsBoard,
                new ExemptSpend((tenant, span, groupBy, max) -> Future.succeededFuture(List.of())),
                change -> {
                    noted.add(change);
                    return Future.failedFuture("the disk is full");
                },
                () -> NOON)));
    }

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
    }

    @Test
    void figuresBecomeStandingsAndBandsAndEachChangeIsNotedOnce() throws Exception {
        publish(50);
        assertThat(published(75).bands()).extracting(CapBand::band).containsExactly(BudgetBand.CONSERVE);
        assertThat(published(76).bands()).extracting(CapBand::band).containsExactly(BudgetBand.CONSERVE);

        assertThat(noted.poll(10, TimeUnit.SECONDS).decision().explanation()).startsWith("CONSERVE: 75 of 100");
        assertThat(noted).isEmpty();
        assertThat(board.of(acme.tenant(), cap, NOON).band()).isEqualTo(BudgetBand.CONSERVE);
        assertThat(board.of(acme.tenant(), cap, NOON).spent()).isEqualTo(Money.of("76"));
    }

    @Test
    void aCapThatDidNotChangeKeepsItsBand() throws Exception {
        published(95);
        bus.publish(Address.CAPS, new CapsPublished(List.of(), NOON));
        assertThat(told.poll(10, TimeUnit.SECONDS).bands())
                .extracting(CapBand::band)
                .containsExactly(BudgetBand.RESTRICT);
    }

    @Test
    void onlyTheOwnerMovesBandsAndTheNextGoesOnFromThere() throws Exception {
        CapBoard other = new CapBoard();
        node("n2", other);
        assertThat(published(75).node()).isEqualTo("n1");
        eventually(() -> {
            publish(75);
            return other.of(acme.tenant(), cap, NOON).band() == BudgetBand.CONSERVE;
        });

        owners.put("acme", "n2");
        told.clear();
        BandsPublished next = published(40);
        while (!next.node().equals("n2")) {
            next = published(40);
        }

        assertThat(next.bands()).extracting(CapBand::band).containsExactly(BudgetBand.CONSERVE);
        eventually(() -> noted.size() == 1);
        publish(95);
        eventually(() -> noted.size() == 2);
        eventually(() -> {
            publish(95);
            return board.of(acme.tenant(), cap, NOON).band() == BudgetBand.RESTRICT;
        });
        assertThat(noted).hasSize(2);
    }

    @Test
    void aNodeThatStartsGoesOnFromWhatIsStored() throws Exception {
        published(75);
        eventually(() -> !states.all("bands").result().isEmpty());
        owners.put("acme", "n2");
        node("n2", new CapBoard());
        told.clear();

        BandsPublished next = published(40);
        while (!next.node().equals("n2")) {
            next = published(40);
        }
        assertThat(next.bands()).extracting(CapBand::band).containsExactly(BudgetBand.CONSERVE);
        assertThat(noted).hasSize(1);
    }

    private static void eventually(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(10);
        }
    }

    private BandsPublished published(long dollars) throws InterruptedException {
        publish(dollars);
        return told.poll(10, TimeUnit.SECONDS);
    }

    private void publish(long dollars) {
        bus.publish(Address.CAPS, new CapsPublished(List.of(figures(dollars * 1_000_000)), NOON));
    }

    private static CapFigures figures(long micros) {
        return new CapFigures(
                DAY,
                1,
                Set.of(),
                true,
                false,
                100_000_000,
                0,
                micros,
                micros,
                0,
                0,
                Set.of(),
                OPENS,
                OPENS.plusSeconds(86_400),
                NOON);
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
