package io.sluice.tenants.shift;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.TenantId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PublishedShiftsTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final ScenarioKey CHAT = new ScenarioKey(ACME, "chat");

    private static ScenarioShift all(long version) {
        return new ScenarioShift(
                CHAT, new ShiftState(version, ShiftPhase.HOLDING, 5, 0, "second", List.of(), "why", 0, 0, Map.of()));
    }

    @Test
    void theHigherVersionHoldsWhateverComesLast() {
        PublishedShifts shifts = PublishedShifts.NONE.plus(List.of(all(5)));
        assertThat(shifts.plus(List.of(new ScenarioShift(CHAT, ShiftState.fresh(4)))))
                .isSameAs(shifts);
        assertThat(shifts.plus(List.of(new ScenarioShift(CHAT, ShiftState.fresh(6))))
                        .of(ACME, "chat"))
                .isNull();
    }

    @Test
    void aScenarioIsNotShiftedByAnothersState() {
        PublishedShifts shifts = PublishedShifts.NONE.plus(List.of(all(5)));
        assertThat(shifts.of(ACME, "chat").share()).isEqualTo(1);
        assertThat(shifts.of(ACME, "mail")).isNull();
        assertThat(shifts.of(new TenantId("globex"), "chat")).isNull();
    }
}
