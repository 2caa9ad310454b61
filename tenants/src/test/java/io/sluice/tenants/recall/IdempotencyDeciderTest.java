package io.sluice.tenants.recall;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.recall.IdempotencyDecider.End;
import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.sluice.tenants.recall.IdempotencyDecider.Input;
import io.sluice.tenants.recall.IdempotencyDecider.Standing;
import io.sluice.tenants.recall.IdempotencyDecider.Verdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class IdempotencyDeciderTest {
    @ParameterizedTest
    @CsvSource({
        "RUNNING,   READ,       true,  WAIT",
        "RUNNING,   READ,       false, TELL_RUNNING",
        "RUNNING,   WRITE,      true,  WAIT",
        "RUNNING,   WRITE,      false, TELL_RUNNING",
        "KEPT,      READ,       true,  REPLAY",
        "KEPT,      COMPLIANCE, false, REPLAY",
        "TOO_LARGE, READ,       true,  TELL_TOO_LARGE",
        "TOO_LARGE, WRITE,      true,  TELL_TOO_LARGE",
        "UNKNOWN,   READ,       true,  BEGIN_AGAIN",
        "UNKNOWN,   WRITE,      true,  TELL_UNKNOWN",
        "UNKNOWN,   COMPLIANCE, true,  TELL_UNKNOWN"
    })
    void theSameRequestGetsWhatTheRecordSays(Standing standing, RequestKind kind, boolean mayWait, Verdict verdict) {
        assertThat(IdempotencyDecider.decide(new Input(standing, true, kind, mayWait)))
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @EnumSource(RequestKind.class)
    void aNewNameBegins(RequestKind kind) {
        assertThat(IdempotencyDecider.decide(new Input(Standing.ABSENT, false, kind, true)))
                .isEqualTo(Verdict.BEGIN);
    }

    @ParameterizedTest
    @EnumSource(value = Standing.class, mode = EnumSource.Mode.EXCLUDE, names = "ABSENT")
    void anotherRequestUnderTheSameNameIsTold(Standing standing) {
        assertThat(IdempotencyDecider.decide(new Input(standing, false, RequestKind.READ, true)))
                .isEqualTo(Verdict.TELL_REUSED);
    }

    @ParameterizedTest
    @CsvSource({
        "true,  true,  true,  READ,       KEEP",
        "true,  true,  true,  WRITE,      KEEP",
        "true,  false, true,  READ,       KEEP_NOTE",
        "true,  false, true,  COMPLIANCE, KEEP_NOTE",
        "false, true,  true,  READ,       FREE",
        "false, true,  false, READ,       FREE",
        "false, true,  false, WRITE,      FREE",
        "false, true,  true,  WRITE,      MARK_UNKNOWN",
        "false, true,  true,  COMPLIANCE, MARK_UNKNOWN"
    })
    void theRecordFollowsTheEnd(boolean answered, boolean fits, boolean effect, RequestKind kind, Fate fate) {
        assertThat(IdempotencyDecider.end(new End(answered, fits, effect, kind, false)))
                .isEqualTo(fate);
    }

    @ParameterizedTest
    @CsvSource({
        "true,  READ,       FREE",
        "false, READ,       FREE",
        "false, WRITE,      FREE",
        "true,  WRITE,      MARK_UNKNOWN",
        "true,  COMPLIANCE, MARK_UNKNOWN"
    })
    void anAnswerThatStandsInIsNotKept(boolean effect, RequestKind kind, Fate fate) {
        assertThat(IdempotencyDecider.end(new End(true, true, effect, kind, true)))
                .isEqualTo(fate);
    }
}
