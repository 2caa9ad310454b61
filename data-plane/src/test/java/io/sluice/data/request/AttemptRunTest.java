package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.upstream.CallEnd;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultKind;
import io.sluice.tenants.money.TokenUsage;
import org.junit.jupiter.api.Test;

class AttemptRunTest {
    private static final CallEnd ABANDONED = new CallEnd(FailureClass.CANCELLED, 0, "the caller left", 0, true, -1, 10);

    @Test
    void aCallThatAProviderBeganIsPaidForAlsoWhenTheCallerLeaves() {
        assertThat(run(null).usage(100, ABANDONED, true)).isEqualTo(new TokenUsage(100, 0, 0, 0, 0, true));
    }

    @Test
    void aFaultThatStoodInForTheProviderIsFreeAlsoWhenTheCallerLeaves() {
        assertThat(run(Fault.of(FaultKind.HANG)).usage(100, ABANDONED, true)).isEqualTo(TokenUsage.NONE);
    }

    @Test
    void aFaultThatSpoilsARealAnswerIsPaidFor() {
        assertThat(run(Fault.of(FaultKind.CUT)).usage(100, ABANDONED, true).input())
                .isEqualTo(100);
    }

    private static AttemptRun run(Fault fault) {
        return new AttemptRun(1, null, null, null, null, Lane.REALTIME, false, null, false, 0, null, fault, null);
    }
}
