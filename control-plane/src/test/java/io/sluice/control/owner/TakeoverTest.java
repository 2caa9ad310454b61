package io.sluice.control.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.bus.SoftStates;
import io.sluice.tenants.Stamp;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TakeoverTest {
    private final Vertx vertx = Vertx.vertx();
    private final Set<String> mine = ConcurrentHashMap.newKeySet();
    private final List<Promise<Void>> loads = new CopyOnWriteArrayList<>();
    private final Takeover<String> takeover = new Takeover<>(vertx.getOrCreateContext(), mine::contains, () -> {
        Promise<Void> load = Promise.promise();
        loads.add(load);
        return load.future();
    });

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static void eventually(java.util.function.BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(5);
        }
    }

    @Test
    void aKeyIsHeldOnceWhatWasStoredIsRead() throws Exception {
        mine.add("a");
        AtomicBoolean acted = new AtomicBoolean();
        takeover.take(Set.of("a", "others"), () -> acted.set(true));
        assertThat(acted).isFalse();
        assertThat(takeover.holds("a")).isFalse();

        loads.get(0).complete();

        eventually(acted::get);
        assertThat(takeover.holds("a")).isTrue();
        assertThat(takeover.holds("others")).isFalse();
    }

    @Test
    void nothingWaitsWhereAllIsHeld() throws Exception {
        mine.add("a");
        takeover.take(Set.of("a"), () -> {});
        loads.get(0).complete();
        eventually(() -> takeover.holds("a"));

        AtomicBoolean acted = new AtomicBoolean();
        takeover.take(Set.of("a"), () -> acted.set(true));

        assertThat(acted).isTrue();
        assertThat(loads).hasSize(1);
    }

    @Test
    void aStoreThatDoesNotAnswerLeavesNothingWithoutAnOwner() throws Exception {
        mine.add("a");
        takeover.take(Set.of("a"), () -> {});
        loads.get(0).fail("no majority");
        eventually(() -> takeover.holds("a"));
    }

    @Test
    void whatWasAnothersMeanwhileIsReadAnew() throws Exception {
        mine.add("a");
        takeover.take(Set.of("a"), () -> {});
        loads.get(0).complete();
        eventually(() -> takeover.holds("a"));
        mine.remove("a");
        assertThat(takeover.holds("a")).isFalse();
        takeover.take(Set.of("a"), () -> {});
        mine.add("a");

        takeover.take(Set.of("a"), () -> {});

        assertThat(takeover.holds("a")).isFalse();
        assertThat(loads).hasSize(2);
    }

    @Test
    void whatCouldNotBeStoredIsStoredLater() {
        SoftStates.InMemory memory = new SoftStates.InMemory();
        AtomicBoolean away = new AtomicBoolean(true);
        Stored<Stamp> stored = new Stored<>(
                new SoftStates() {
                    @Override
                    public Future<Void> save(String kind, String key, Versioned state) {
                        return away.get() ? Future.failedFuture("away") : memory.save(kind, key, state);
                    }

                    @Override
                    public Future<Map<String, Versioned>> all(String kind) {
                        return memory.all(kind);
                    }

                    @Override
                    public Future<Void> remove(String kind, String key) {
                        return memory.remove(kind, key);
                    }
                },
                "stamps",
                Stamp.class);
        stored.later("a", 1, new Stamp(1, "n"));
        stored.later("a", 2, new Stamp(2, "n"));
        stored.flush();
        assertThat(stored.all().result()).isEmpty();

        away.set(false);
        stored.flush();

        assertThat(stored.all().result()).containsExactly(new Stamp(2, "n"));
        List<Stamp> read = new ArrayList<>();
        memory.save("stamps", "b", new SoftStates.Versioned(1, "{\"of\":\"another release\"}"));
        read.addAll(stored.all().result());
        assertThat(read).as("what can't be read is left out").hasSize(1);
    }
}
