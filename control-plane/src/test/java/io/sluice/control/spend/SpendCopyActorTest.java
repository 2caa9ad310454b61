package io.sluice.control.spend;

import static io.sluice.control.spend.Spent.ACME;
import static io.sluice.control.spend.Spent.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.spend.SpendStore.Span;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.message.BusMessage.AskSpendCopy;
import io.sluice.tenants.message.BusMessage.ReadSpendCopy;
import io.sluice.tenants.message.BusMessage.SpendCopyOffered;
import io.sluice.tenants.message.BusMessage.SpendCopyPart;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Node {@code old} has the history; {@code fresh} came when the log did not reach back any more. */
class SpendCopyActorTest {
    private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
    private static final Span EVER = new Span(0, 4_102_444_800L);
    private static final Duration WAIT = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final MemorySpendLog log = new MemorySpendLog();
    private SharedSpendStore old;
    private SharedSpendStore fresh;

    /** All see three nodes, one of which is not there. */
    private record Three(String node) implements Owners {
        @Override
        public Optional<String> ownerOf(String key) {
            return Optional.of(node);
        }

        @Override
        public Set<String> nodes() {
            return Set.of("old", "fresh", "gone");
        }
    }

    private SharedSpendStore node(String name) {
        Path at = directory.resolve(name).resolve("spend.db");
        return new SharedSpendStore(
                vertx,
                SqliteSpendStore.open(at, () -> NOW),
                log,
                new BusSpendCopies(vertx, bus, new Three(name)),
                name,
                () -> NOW);
    }

    @BeforeEach
    void start() throws Exception {
        old = node("old");
        await(old.refresh());
        Spent n1 = new Spent("n1");
        for (int i = 0; i < 3; i++) {
            for (int user = 0; user < 700; user++) {
                n1.add(Spent.facts(
                        "2026-03-02T10:00:00Z",
                        "shop",
                        "user-" + user + "x".repeat(200),
                        Spent.charge("m", 1, 1, "1")));
            }
            await(old.append(n1.next()));
        }
        log.keep(1);
        fresh = node("fresh");
    }

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
        await(old.close());
        await(fresh.close());
    }

    private void serve() throws Exception {
        await(vertx.deployVerticle(new SpendCopyActor(bus, "old", old, directory.resolve("old"))));
        await(vertx.deployVerticle(new SpendCopyActor(bus, "fresh", fresh, directory.resolve("fresh"))));
    }

    private void followUntilWhole() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            await(fresh.refresh());
            if (fresh.behind() == 0) {
                return;
            }
            Thread.sleep(20);
        }
        throw new AssertionError("never whole");
    }

    @Test
    void aNewNodeTakesTheHistoryOverInPartsAndFollowsFromThere() throws Exception {
        serve();
        followUntilWhole();
        assertThat(await(fresh.total(ACME, EVER)))
                .isEqualTo(await(old.total(ACME, EVER)))
                .satisfies(sum -> assertThat(sum.cost()).isEqualTo(Money.of("2100")));
        await(old.append(new Spent("n2")
                .add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, "5")
                .next()));
        await(fresh.refresh());
        assertThat(await(fresh.total(ACME, EVER)).cost()).isEqualTo(Money.of("2105"));
        assertThat(Files.exists(directory.resolve("fresh").resolve("spend-fetched.db")))
                .isFalse();
    }

    @Test
    void whereNobodyHasItNothingIsShownAndALaterTryWorks() throws Exception {
        await(fresh.refresh());
        assertThatThrownBy(() -> await(fresh.total(ACME, EVER))).hasMessageContaining("not complete");
        serve();
        followUntilWhole();
        assertThat(await(fresh.total(ACME, EVER)).cost()).isEqualTo(Money.of("2100"));
    }

    @Test
    void aNodeWithoutTheHistoryOffersNone() throws Exception {
        serve();
        assertThatThrownBy(() -> await(
                        bus.request(Address.spendCopies("fresh"), new AskSpendCopy("x"), SpendCopyOffered.class, WAIT)))
                .hasMessageContaining("not heard yet");
        assertThat(await(bus.request(Address.spendCopies("old"), new AskSpendCopy("x"), SpendCopyOffered.class, WAIT)))
                .isEqualTo(new SpendCopyOffered(3));
    }

    @Test
    void partsAreBoundedAndTheSameHoweverOftenTheyAreRead() throws Exception {
        serve();
        SpendCopyPart first = await(read(null, 0));
        assertThat(first.bytes()).isGreaterThan(SpendCopyActor.PART_BYTES);
        assertThat(Base64.getDecoder().decode(first.data())).hasSize(SpendCopyActor.PART_BYTES);
        assertThat(await(read(first.copy(), 0))).isEqualTo(first);
        assertThat(await(read(null, 0))).isEqualTo(first);
        assertThat(await(read(first.copy(), first.bytes())).data()).isEmpty();
        assertThatThrownBy(() -> await(read(first.copy(), first.bytes() + 1))).hasMessageContaining("bytes");
        assertThatThrownBy(() -> await(read("another", 0))).hasMessageContaining("no such copy");
    }

    private Future<SpendCopyPart> read(String copy, long offset) {
        return bus.request(Address.spendCopyParts("old"), new ReadSpendCopy(copy, offset), SpendCopyPart.class, WAIT);
    }

    @Test
    void aDamagedCopyIsNotTakenOver() throws Exception {
        Path broken = directory.resolve("broken.db");
        old.copyTo(broken);
        byte[] bytes = Files.readAllBytes(broken);
        for (int i = 8_192; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        Files.write(broken, bytes);
        SqliteSpendStore part = SqliteSpendStore.open(directory.resolve("part.db"), () -> NOW);
        assertThatThrownBy(() -> await(part.replacedBy(broken))).hasMessageContaining("amage");
        assertThat(await(part.standing()).position()).isZero();
        await(part.close());
    }
}
