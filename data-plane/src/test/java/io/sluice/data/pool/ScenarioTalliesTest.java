package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.message.BusMessage.CallObserved;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioWindow;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScenarioTalliesTest {
    private static final ScopedId POOL = ScopedId.platform("pool");
    private static final TenantId ACME = new TenantId("acme");

    private final ScenarioTallies tallies = new ScenarioTallies(POOL);

    private void observe(String scenario, String step, FailureClass failure, boolean first, double totalMs) {
        tallies.observe(new CallObserved(
                POOL, "p/m", failure, first, -1, 0, totalMs, 0, false, 0, 1, new ScenarioKey(ACME, scenario), step));
    }

    @Test
    void countsByScenarioAndRung() {
        observe("chat", "first", null, true, 10);
        observe("chat", "first", FailureClass.NETWORK, true, 10);
        observe("chat", "second", null, true, 10);
        observe("mail", "first", null, true, 10);

        List<ScenarioWindow> windows = tallies.drain();
        assertThat(windows)
                .hasSize(3)
                .allSatisfy(window -> assertThat(window.pool()).isEqualTo(POOL));
        assertThat(windows)
                .filteredOn(window -> window.scenario().scenario().equals("chat")
                        && window.step().equals("first"))
                .singleElement()
                .satisfies(window -> {
                    assertThat(window.usable()).isEqualTo(1);
                    assertThat(window.failures()).containsEntry(FailureClass.NETWORK, 1L);
                    assertThat(window.latency().count()).isEqualTo(1);
                });
    }

    @Test
    void aRepeatWithinARequestDoesNotCount() {
        observe("chat", "first", null, false, 10);
        assertThat(tallies.isEmpty()).isTrue();
    }

    @Test
    void aCallThatWasGivenUpTookAtLeastSoLong() {
        observe("chat", "first", FailureClass.TIMEOUT_FIRST_TOKEN, true, 3_000);
        observe("chat", "first", FailureClass.TIMEOUT_TOTAL, true, 3_000);
        observe("chat", "first", FailureClass.OVERLOADED, true, 3_000);
        assertThat(tallies.drain().get(0).latency().count()).isEqualTo(2);
    }

    @Test
    void manyScenariosAreReportedInTurnThoseWithFailuresFirstAndNoCallIsLost() {
        int many = 2 * ScenarioTallies.WINDOWS_MAX + 1;
        for (int i = 0; i < many; i++) {
            observe("scenario-" + i, "first", i == many - 1 ? FailureClass.NETWORK : null, true, 10);
        }
        List<ScenarioWindow> first = tallies.drain();
        assertThat(first).hasSize(ScenarioTallies.WINDOWS_MAX);
        assertThat(first.get(0).failures()).containsEntry(FailureClass.NETWORK, 1L);
        for (int i = 0; i < many; i++) {
            observe("scenario-" + i, "first", null, true, 10);
        }
        long usable = first.stream().mapToLong(ScenarioWindow::usable).sum();
        while (!tallies.isEmpty()) {
            List<ScenarioWindow> next = tallies.drain();
            assertThat(next).hasSizeLessThanOrEqualTo(ScenarioTallies.WINDOWS_MAX);
            usable += next.stream().mapToLong(ScenarioWindow::usable).sum();
        }
        assertThat(usable).isEqualTo(2L * many - 1);
    }

    @Test
    void whatWasReportedIsForgotten() {
        observe("chat", "first", null, true, 10);
        tallies.drain();
        assertThat(tallies.isEmpty()).isTrue();
        assertThat(tallies.drain()).isEmpty();
    }
}
