package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.routing.CompiledKey;
import io.sluice.tenants.routing.PublishedWeights;
import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.shift.PublishedShifts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Counts, no times. */
class PairBookTest {
    private static final TenantId ACME = new TenantId("acme");

    private final AtomicInteger finds = new AtomicInteger();
    private final PairBook<String> book = new PairBook<>((caller, scenario) -> {
        finds.incrementAndGet();
        return caller.key().id();
    });

    private static Arrival arrival(Map<String, CompiledKey> keys) {
        Snapshot snapshot = new Snapshot(1, keys, Map.of(), Map.of(), PublishedWeights.NONE, PublishedShifts.NONE);
        return new Arrival(null, "t", "00", 0, Instant.EPOCH, snapshot);
    }

    private static List<Caller> callers(int count, Map<String, CompiledKey> keys) {
        Arrival arrival = arrival(keys);
        List<Caller> callers = new ArrayList<>();
        IntStream.range(0, count)
                .mapToObj(i -> new CompiledKey("key-" + i, ACME, "app", new byte[0], null, null, null, null, false))
                .forEach(key -> callers.add(new Caller(arrival, key, null)));
        return callers;
    }

    private void ask(List<Caller> callers) {
        for (Caller each : callers) {
            assertThat(book.of(each, null)).isEqualTo(each.key().id());
        }
    }

    @Test
    void thousandsOfPairsThatTakeTurnsAreFoundOnce() {
        List<Caller> callers = callers(10_000, Map.of());
        for (int turn = 0; turn < 5; turn++) {
            ask(callers);
        }
        assertThat(finds).hasValue(10_000);
    }

    @Test
    void onePairMoreThanItKeepsDoesNotMakeItForgetAll() {
        List<Caller> callers = callers(PairBook.PAIRS_MAX + 1, Map.of());
        for (int turn = 0; turn < 5; turn++) {
            ask(callers);
        }
        assertThat(finds).hasValue(PairBook.PAIRS_MAX + 1);
    }

    @Test
    void aNewConfigurationIsFoundAnew() {
        List<Caller> callers = callers(3, Map.of());
        ask(callers);
        Arrival newer = arrival(Map.of("key-0", callers.get(0).key()));
        ask(callers.stream().map(each -> new Caller(newer, each.key(), null)).toList());
        assertThat(finds).hasValue(6);
    }
}
