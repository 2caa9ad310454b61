package io.sluice.tenants.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.RandomDecision;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.context.ContextCut;
import io.sluice.tenants.context.ContextInput;
import io.sluice.tenants.fault.FaultDraw;
import io.sluice.tenants.fault.FaultOdds;
import io.sluice.tenants.limit.LimitFacts;
import io.sluice.tenants.limit.LimitInput;
import io.sluice.tenants.limit.LimitKind;
import io.sluice.tenants.limit.LimitLevel;
import io.sluice.tenants.recall.CacheDecider;
import io.sluice.tenants.recall.IdempotencyDecider;
import io.sluice.tenants.routing.AttemptDecider;
import io.sluice.tenants.routing.QueueDecider;
import io.sluice.tenants.routing.RouteInput;
import io.sluice.tenants.routing.RoutePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DecisionReplayTest {
    private final DecisionRecord right = firstWithTwoCandidatesAndAFailure();

    @Test
    void aRecordAsItWasMadeHasNoDifference() {
        assertThat(DecisionReplay.differences(right)).isEmpty();
    }

    @Test
    void aPlanInAnotherOrderIsADifference() {
        List<RoutePlan.Candidate> turned = new ArrayList<>(right.plan().candidates());
        turned.add(turned.remove(0));
        RoutePlan plan =
                new RoutePlan(turned, right.plan().excluded(), right.plan().refused());
        assertThat(DecisionReplay.differences(with(right.input(), plan, right.attempts())))
                .singleElement()
                .asString()
                .startsWith("plan: recorded");
    }

    @Test
    void aVerdictThatDoesNotFollowFromItsInputIsADifference() {
        List<AttemptRecord> attempts = right.attempts().stream()
                .map(each -> each.next() == null ? each : withVerdict(each, other(each.verdict())))
                .toList();
        assertThat(DecisionReplay.differences(with(right.input(), right.plan(), attempts)))
                .hasSize((int)
                        attempts.stream().filter(each -> each.next() != null).count())
                .allMatch(difference -> difference.startsWith("attempt "));
    }

    @Test
    void aFaultThatDoesNotFollowFromItsOddsIsADifference() {
        FaultDraw wrong = new FaultDraw(List.of(new FaultOdds("always", 1)), null, null);
        List<AttemptRecord> attempts =
                right.attempts().stream().map(each -> withFault(each, wrong)).toList();
        assertThat(DecisionReplay.differences(with(right.input(), right.plan(), attempts)))
                .hasSize(attempts.size())
                .allMatch(difference -> difference.endsWith("recorded the fault of null, now of always"));
    }

    @Test
    void aReplayOfARequestThatNeverRanIsADifference() {
        RecallRecord recall = new RecallRecord(
                new IdempotencyDecider.Input(IdempotencyDecider.Standing.ABSENT, false, RequestKind.WRITE, true),
                IdempotencyDecider.Verdict.REPLAY,
                null,
                null,
                null,
                null,
                null,
                null);
        assertThat(DecisionReplay.differences(with(right.input(), right.plan(), right.attempts(), recall)))
                .containsExactly("idempotency: recorded REPLAY, now BEGIN");
    }

    @Test
    void aKeyThatWasFreedAfterAnEffectIsADifference() {
        RecallRecord recall = new RecallRecord(
                null,
                null,
                new IdempotencyDecider.End(false, true, true, RequestKind.WRITE, false),
                IdempotencyDecider.Fate.FREE,
                null,
                null,
                null,
                null);
        assertThat(DecisionReplay.differences(with(right.input(), right.plan(), right.attempts(), recall)))
                .containsExactly("idempotency record: recorded FREE, now MARK_UNKNOWN");
    }

    @Test
    void aHitOfAnAnswerThatWasTooOldIsADifference() {
        CacheDecider.Input old = new CacheDecider.Input(1_000, RequestKind.READ, false, 1, false, false, false, 1_000);
        RecallRecord recall =
                new RecallRecord(null, null, null, null, old, CacheDecider.Verdict.HIT, null, "f".repeat(32));
        assertThat(DecisionReplay.differences(with(right.input(), right.plan(), right.attempts(), recall)))
                .containsExactly("cache: recorded HIT, now MISS");
    }

    @Test
    void aWaitThatDoesNotFollowFromItsInputIsADifference() {
        QueueDecider.Input input = new QueueDecider.Input(Lane.REALTIME, 10_000, 200, 250, 0);
        QueueWait wait = new QueueWait(0, "first", 0, 1, 30, QueueWait.End.SERVED, input, 251);
        assertThat(DecisionReplay.differences(
                        with(right.input(), right.plan(), right.attempts(), right.recall(), List.of(wait))))
                .containsExactly("wait at rung 0: recorded 251 ms, now 250");
    }

    @Test
    void anotherReasonForTheLowerRungIsADifference() {
        assertThat(DecisionReplay.differences(degraded(new Degradation("boredom", List.of(), List.of()))))
                .singleElement()
                .asString()
                .startsWith("degraded: recorded boredom");
    }

    @Test
    void aLossThatTheStepDoesNotCauseIsADifference() {
        String reason = Degradation.reason(right.plan(), right.attempts(), right.waits(), null);
        assertThat(DecisionReplay.differences(degraded(new Degradation(reason, List.of("poetry"), List.of()))))
                .singleElement()
                .asString()
                .contains("poetry");
    }

    private DecisionRecord degraded(Degradation degraded) {
        return new DecisionRecord(
                right.traceId(),
                right.at(),
                right.tenant(),
                right.app(),
                right.keyId(),
                right.scenario(),
                right.input().ladder().get(0).step(),
                right.model(),
                right.outcome(),
                right.status(),
                right.durationMs(),
                right.overheadUs(),
                right.cost(),
                right.input(),
                right.plan(),
                right.attempts(),
                null,
                right.lane(),
                right.waits(),
                degraded,
                null,
                null,
                null,
                null);
    }

    @Test
    void anOldAnswerOnARungThatTakesYoungerOnesOnlyIsADifference() {
        CacheDecider.Input old = new CacheDecider.Input(1_000, RequestKind.READ, false, 1, false, false, false, 5_000);
        RecallRecord.Stale given = new RecallRecord.Stale(5_000, true);
        RecallRecord recall = RecallRecord.ofCache(old, given, "f".repeat(32));
        assertThat(DecisionReplay.differences(with(right.input(), right.plan(), right.attempts(), recall)))
                .singleElement()
                .asString()
                .startsWith("cache rung: recorded");
    }

    @Test
    void anAdmissionThatTheLimitsDoNotGiveIsADifference() {
        LimitFacts full = new LimitFacts(LimitLevel.KEY, LimitKind.REQUESTS, 5, 5, 5, 1_000);
        LimitRecord limits = new LimitRecord(new LimitInput(0, List.of(full)), 0);

        assertThat(DecisionReplay.differences(with(limits, null)))
                .singleElement()
                .asString()
                .startsWith("limits: recorded as admitted, now LimitVerdict[level=KEY");
    }

    @Test
    void aCutThatTheSettingsDoNotGiveIsADifference() {
        ContextInput input = new ContextInput(2, 0, 400, List.of(100L, 100L, 100L, 100L));
        ContextRecord context = new ContextRecord(input, new ContextCut(true, 1, 1));

        assertThat(DecisionReplay.differences(with(null, context)))
                .singleElement()
                .asString()
                .isEqualTo("context: recorded ContextCut[fits=true, keptFrom=1, turnsDropped=1],"
                        + " now ContextCut[fits=true, keptFrom=2, turnsDropped=2]");
    }

    private DecisionRecord with(LimitRecord limits, ContextRecord context) {
        return new DecisionRecord(
                right.traceId(),
                right.at(),
                right.tenant(),
                right.app(),
                right.keyId(),
                right.scenario(),
                right.step(),
                right.model(),
                right.outcome(),
                right.status(),
                right.durationMs(),
                right.overheadUs(),
                right.cost(),
                right.input(),
                right.plan(),
                right.attempts(),
                null,
                right.lane(),
                List.of(),
                null,
                limits,
                null,
                context,
                null);
    }

    private static AttemptDecider.Verdict other(AttemptDecider.Verdict verdict) {
        return verdict == AttemptDecider.Verdict.GIVE_UP
                ? AttemptDecider.Verdict.NEXT_RUNG
                : AttemptDecider.Verdict.GIVE_UP;
    }

    private static DecisionRecord firstWithTwoCandidatesAndAFailure() {
        for (long seed = 1; ; seed++) {
            DecisionRecord record = new RandomDecision(new SplittableRandom(seed)).record();
            long onFirst = record.plan().candidates().stream()
                    .filter(each -> each.rung() == 0 && each.target() >= 0)
                    .count();
            if (onFirst > 1 && record.attempts().stream().anyMatch(each -> each.next() != null)) {
                return record;
            }
        }
    }

    private DecisionRecord with(RouteInput input, RoutePlan plan, List<AttemptRecord> attempts) {
        return with(input, plan, attempts, right.recall());
    }

    private DecisionRecord with(RouteInput input, RoutePlan plan, List<AttemptRecord> attempts, RecallRecord recall) {
        return with(input, plan, attempts, recall, List.of());
    }

    private DecisionRecord with(
            RouteInput input,
            RoutePlan plan,
            List<AttemptRecord> attempts,
            RecallRecord recall,
            List<QueueWait> waits) {
        return new DecisionRecord(
                right.traceId(),
                right.at(),
                right.tenant(),
                right.app(),
                right.keyId(),
                right.scenario(),
                right.step(),
                right.model(),
                right.outcome(),
                right.status(),
                right.durationMs(),
                right.overheadUs(),
                right.cost(),
                input,
                plan,
                attempts,
                recall,
                right.lane(),
                waits,
                null,
                null,
                null,
                null,
                null);
    }

    private static AttemptRecord withVerdict(AttemptRecord attempt, AttemptDecider.Verdict verdict) {
        return new AttemptRecord(
                attempt.n(),
                attempt.rung(),
                attempt.target(),
                attempt.step(),
                attempt.provider(),
                attempt.model(),
                attempt.failure(),
                attempt.upstreamStatus(),
                attempt.sent(),
                attempt.detail(),
                attempt.startedMs(),
                attempt.firstTokenMs(),
                attempt.totalMs(),
                attempt.usage(),
                attempt.cost(),
                attempt.next(),
                verdict,
                attempt.fault(),
                null,
                null);
    }

    private static AttemptRecord withFault(AttemptRecord attempt, FaultDraw fault) {
        return new AttemptRecord(
                attempt.n(),
                attempt.rung(),
                attempt.target(),
                attempt.step(),
                attempt.provider(),
                attempt.model(),
                attempt.failure(),
                attempt.upstreamStatus(),
                attempt.sent(),
                attempt.detail(),
                attempt.startedMs(),
                attempt.firstTokenMs(),
                attempt.totalMs(),
                attempt.usage(),
                attempt.cost(),
                attempt.next(),
                attempt.verdict(),
                fault,
                null,
                null);
    }
}
