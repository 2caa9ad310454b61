package io.sluice.control.shift;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioShift;
import io.sluice.tenants.shift.ScenarioWindow;
import io.sluice.tenants.shift.ShiftPhase;
import io.sluice.tenants.shift.ShiftState;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a tick looks at where thousands of scenarios have calls. Counts, no times. */
class ShiftBookSizeTest {
    private static final int MANY = 5_000;
    private static final ScopedId POOL = ScopedId.platform("pool");

    private final ShiftBook book = new ShiftBook(ShiftSettings.DEFAULT);
    private final List<ScenarioKey> keys = IntStream.range(0, MANY)
            .mapToObj(number -> new ScenarioKey(new TenantId("tenant-" + number), "chat"))
            .toList();
    private final Configuration configuration = configured(keys);
    private long now = 1_700_000_000_000L;

    private static Configuration configured(List<ScenarioKey> keys) {
        ScenarioConfig chat = new ScenarioConfig(
                "chat",
                1,
                Sensitivity.SEMANTIC,
                RequestKind.READ,
                true,
                null,
                null,
                List.of(new RungConfig.Pool("first", "pool", null, null)),
                null);
        Map<TenantId, TenantTree> trees = new HashMap<>();
        for (ScenarioKey key : keys) {
            trees.put(
                    key.tenant(),
                    TenantTree.of(new TenantConfig(key.tenant(), 1, "", ZoneId.of("UTC"), "USD", false))
                            .with(chat));
        }
        return new Configuration(1, Configuration.EMPTY.platform(), trees, Map.of());
    }

    private void calls(List<ScenarioKey> of, Map<FailureClass, Long> failures) {
        book.reported(
                of.stream()
                        .map(key -> new ScenarioWindow(key, "first", POOL, "p/m", 1, failures, LatencyHistogram.EMPTY))
                        .toList(),
                now);
    }

    /** Gives what it looked at. */
    private List<ScenarioKey> tick() {
        now += 1_000;
        book.unowned(key -> true).forEach(key -> book.adopt(key, now));
        book.tick(configuration, now);
        return book.looks();
    }

    @Test
    void aTickLooksAtSoManyAtMostAndEveryScenarioHasItsTurn() {
        Set<ScenarioKey> seen = new HashSet<>();
        for (int second = 0; second < 4 * MANY / ShiftBook.LOOKS_MAX; second++) {
            calls(keys, Map.of());
            List<ScenarioKey> looks = tick();
            assertThat(looks).hasSizeLessThanOrEqualTo(ShiftBook.LOOKS_MAX);
            seen.addAll(looks);
        }
        assertThat(seen).hasSize(MANY);
        assertThat(book.look(configuration, keys.get(MANY - 1), now)).isPresent();
    }

    @Test
    void withoutTroubleEachHasItsTurnEveryFewSeconds() {
        List<ScenarioKey> few = keys.subList(0, 10);
        int looks = 0;
        for (int second = 0; second < 60; second++) {
            calls(few, Map.of());
            looks += tick().size();
        }

        assertThat(looks).isBetween(few.size() * 10, few.size() * 14);
    }

    @Test
    void whoIsLookedAtOutOfTurnHoldsUpNobody() {
        ScenarioKey hasty = keys.get(0);
        ScenarioKey patient = keys.get(1);
        calls(List.of(hasty, patient), Map.of());
        int looks = 0;
        for (int second = 0; second < 60; second++) {
            calls(List.of(hasty), Map.of(FailureClass.NETWORK, 1L));
            calls(List.of(patient), Map.of());
            looks += tick().contains(patient) ? 1 : 0;
        }

        assertThat(looks).isGreaterThanOrEqualTo(10);
    }

    @Test
    void whoseCallsFailedIsLookedAtFirst() {
        calls(keys, Map.of());
        ScenarioKey last = keys.get(MANY - 1);
        calls(List.of(last), Map.of(FailureClass.NETWORK, 1L));
        assertThat(tick()).contains(last);
    }

    @Test
    void whoseTrafficIsShiftedIsLookedAtInEveryTickWhateverElseThereIs() {
        ScenarioKey shifted = keys.get(MANY - 1);
        ShiftState resting = ShiftState.fresh(now).moved(ShiftPhase.RESTING, 0, "a test", now);
        book.heard(new ScenarioShift(shifted, resting));
        for (int second = 0; second < 10; second++) {
            calls(keys, Map.of());
            assertThat(tick()).contains(shifted);
        }
    }

    @Test
    void scenariosWithoutCallsCostNothing() {
        calls(keys, Map.of());
        long last = now;
        while (now - last < 180_000) {
            tick();
        }
        assertThat(tick()).isEmpty();
        assertThat(book.look(configuration, keys.get(0), now))
                .as("it is still known")
                .isPresent();
    }

    @Test
    void aStateOfAnotherControllerIsTakenOverAlsoWhereItIsAtRest() {
        ScenarioKey told = keys.get(0);
        book.heard(new ScenarioShift(told, ShiftState.fresh(now).moved(ShiftPhase.OFF, 0, "the rest is over", now)));
        book.unowned(key -> false);
        book.tick(configuration, now);
        assertThat(book.unowned(key -> true)).contains(told);
    }
}
