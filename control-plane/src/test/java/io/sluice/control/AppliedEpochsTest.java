package io.sluice.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import org.junit.jupiter.api.Test;

class AppliedEpochsTest {
    private final AppliedEpochs epochs = new AppliedEpochs();

    @Test
    void nobodyWaitsForADataPlaneThatIsNotThere() {
        assertThat(epochs.await(7).future().succeeded()).isTrue();
    }

    @Test
    void waitsUntilTheEpochIsServed() {
        epochs.reached(6);
        Promise<Void> seventh = epochs.await(7);
        assertThat(seventh.future().isComplete()).isFalse();

        epochs.reached(7);

        assertThat(seventh.future().succeeded()).isTrue();
    }

    @Test
    void aLaterEpochServesTheEarlierToo() {
        epochs.reached(1);
        Promise<Void> second = epochs.await(2);
        Promise<Void> fourth = epochs.await(4);

        epochs.reached(3);

        assertThat(second.future().succeeded()).isTrue();
        assertThat(fourth.future().isComplete()).isFalse();
    }

    @Test
    void anOlderReportTakesNothingBack() {
        epochs.reached(5);
        epochs.reached(4);

        assertThat(epochs.await(5).future().succeeded()).isTrue();
    }

    @Test
    void aWaitThatIsGivenUpEnds() {
        epochs.reached(1);
        Promise<Void> second = epochs.await(2);

        epochs.forget(second);
        epochs.reached(2);

        assertThat(second.future().succeeded()).isTrue();
    }
}
