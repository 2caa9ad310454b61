package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.upstream.CallEnd;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.ScenarioSettings;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.routing.CompiledScenario;
import io.sluice.tenants.routing.RouteInput;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers are told when no model answered: the class, what to do, and a provider's words only where they are meant for them. */
class StopsTest {
    private static final String WORDS = "the schema of the tool is broken";

    /** What a provider's message may hold besides, and no caller may see. */
    private static final String LEAK = " at http://10.0.0.1:8000/internal";

    /** Failures that are about the caller's own request. */
    private static final Set<FailureClass> CALLERS =
            Set.of(FailureClass.BAD_REQUEST, FailureClass.CONTEXT_LENGTH, FailureClass.CONTENT_FILTER);

    private static final Planned PLANNED = planned(RequestKind.READ, null);

    private static Planned planned(RequestKind kind, String idempotencyKey) {
        return new Planned(
                new Identified(
                        null,
                        null,
                        new CompiledScenario(
                                "mail",
                                "1",
                                Sensitivity.CREATIVE,
                                RequestKind.READ,
                                true,
                                new ScenarioSettings.Parsed(
                                        4,
                                        Duration.ofSeconds(10),
                                        Duration.ofSeconds(5),
                                        Duration.ofSeconds(4),
                                        Duration.ofMinutes(2),
                                        Duration.ofSeconds(30),
                                        Duration.ZERO,
                                        Lane.REALTIME,
                                        Duration.ofSeconds(60)),
                                List.of()),
                        List.of(),
                        kind,
                        Lane.REALTIME,
                        10_000,
                        null,
                        null,
                        idempotencyKey,
                        null,
                        null,
                        null,
                        new PromptCount()),
                new RouteInput(1, 1, "mail", kind, null, 1, List.of()),
                null);
    }

    private static List<AttemptRecord> attempts(FailureClass... failures) {
        return attempts(0, failures);
    }

    private static List<AttemptRecord> attempts(int status, FailureClass... failures) {
        return Stream.of(failures)
                .map(failure -> new AttemptRecord(
                        1,
                        0,
                        0,
                        "first",
                        "up",
                        "m",
                        failure,
                        status,
                        true,
                        WORDS + LEAK,
                        0,
                        -1,
                        1,
                        TokenUsage.NONE,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null))
                .toList();
    }

    private static CallEnd end(FailureClass failure, int status, long retryAfterMs) {
        return new CallEnd(failure, status, WORDS + LEAK, retryAfterMs, true, false, -1, 0, 10);
    }

    @ParameterizedTest
    @EnumSource(FailureClass.class)
    void theLastFailureIsTold(FailureClass failure) {
        Stop stop = Stops.failed(PLANNED, end(failure, 500, 0), attempts(FailureClass.NETWORK, failure), null);

        assertThat(stop.refusal()).isEqualTo(failure.whenLast());
        assertThat(stop.message().contains(WORDS)).isEqualTo(CALLERS.contains(failure));
        assertThat(stop.message()).doesNotContain("10.0.0.1").doesNotContain("/internal");
        if (!CALLERS.contains(failure)) {
            assertThat(stop.message())
                    .contains("mail")
                    .contains("2 attempts were")
                    .contains(failure.name());
        }
    }

    @Test
    void aBareServerErrorIsToldApartFromABrokenConnection() {
        CallEnd last = end(FailureClass.NETWORK, 0, 0);
        FailureClass[] two = {FailureClass.NETWORK, FailureClass.NETWORK};

        assertThat(Stops.failed(PLANNED, last, attempts(503, two), null).message())
                .contains("failed with NETWORK (it answered 503), then NETWORK (it answered 503);");
        assertThat(Stops.failed(PLANNED, last, attempts(0, two), null).message())
                .contains("failed with NETWORK, then NETWORK;");
    }

    @ParameterizedTest
    @EnumSource(FailureClass.class)
    void aBrokenStreamSaysThatTheAnswerIsIncomplete(FailureClass failure) {
        Stop stop = Stops.incomplete(PLANNED, end(failure, 503, 0));

        assertThat(stop.message())
                .contains("incomplete")
                .contains(failure.name())
                .contains("again");
        assertThat(stop.message().contains(WORDS))
                .isEqualTo(failure == FailureClass.BAD_REQUEST || failure == FailureClass.CONTENT_FILTER);
        assertThat(stop.refusal()).isNotEqualTo(Refusal.NO_HEALTHY_TARGET);
    }

    /** Sent, without a status that says that the provider refused: nobody knows. */
    @ParameterizedTest
    @EnumSource(FailureClass.class)
    void whoeverMayHaveActedIsToldToFindOutFirst(FailureClass failure) {
        for (RequestKind kind : List.of(RequestKind.WRITE, RequestKind.COMPLIANCE)) {
            for (String key : Arrays.asList(null, "order-1")) {
                Stop stop = Stops.failed(planned(kind, key), end(failure, 0, 0), attempts(failure), null);

                assertThat(stop.message())
                        .contains("it may have taken effect, how it ended is not known")
                        .contains("find out whether it took effect before you send it again")
                        .doesNotContain("try again")
                        .doesNotContain("come back");
                assertThat(stop.message().endsWith("again under a new Idempotency-Key"))
                        .isEqualTo(key != null);
                assertThat(stop.retryable()).isFalse();
                assertThat(stop.retryAfterMs()).isZero();
            }
        }
    }

    @Test
    void aNodeThatGoesDownInvitesARepeatOnlyOfWhatCannotHaveActed() {
        List<AttemptRecord> sent = attempts(FailureClass.CANCELLED);

        assertThat(Stops.drained(PLANNED, sent).message()).contains("send it again");
        assertThat(Stops.drained(planned(RequestKind.WRITE, null), List.of()).message())
                .contains("send it again");
        assertThat(Stops.drained(planned(RequestKind.WRITE, null), sent)).satisfies(stop -> {
            assertThat(stop.message()).contains("it may have taken effect");
            assertThat(stop.retryable()).isFalse();
        });
        assertThat(Stops.drainedWithin(planned(RequestKind.WRITE, null)).message())
                .contains("it may have taken effect");
        assertThat(Stops.drainedWithin(PLANNED).message()).contains("send the request again for a whole answer");
    }

    @Test
    void oneAttemptIsOne() {
        assertThat(Stops.failed(PLANNED, end(FailureClass.NETWORK, 0, 0), attempts(FailureClass.NETWORK), null)
                        .message())
                .contains("1 attempt was");
    }

    @Test
    void whoIsLimitedHearsWhenToComeBackWithinReason() {
        assertThat(Stops.failed(
                                PLANNED,
                                end(FailureClass.RATE_LIMITED, 429, 20_000),
                                attempts(FailureClass.RATE_LIMITED),
                                null)
                        .retryAfterMs())
                .isEqualTo(20_000);
        assertThat(Stops.failed(
                                PLANNED,
                                end(FailureClass.RATE_LIMITED, 429, 0),
                                attempts(FailureClass.RATE_LIMITED),
                                null)
                        .retryAfterMs())
                .isEqualTo(1_000);
        assertThat(Stops.failed(
                                PLANNED,
                                end(FailureClass.OVERLOADED, 529, 86_400_000),
                                attempts(FailureClass.OVERLOADED),
                                null)
                        .retryAfterMs())
                .isEqualTo(60_000);
    }

    @Test
    void onlyAWrongRequestKeepsTheProvidersStatus() {
        assertThat(Stops.statusOf(end(FailureClass.BAD_REQUEST, 422, 0))).isEqualTo(422);
        assertThat(Stops.statusOf(end(FailureClass.BAD_REQUEST, 200, 0))).isZero();
        assertThat(Stops.statusOf(end(FailureClass.AUTH, 401, 0))).isZero();
        assertThat(Stops.statusOf(end(FailureClass.NETWORK, 503, 0))).isZero();
    }
}
