package io.sluice.data.request;

import io.sluice.data.pool.Pools;
import io.sluice.data.upstream.CallEnd;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.QueueWait;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.RoutePlan.Excluded;
import io.sluice.tenants.routing.RoutePlan.Reason;
import io.sluice.tenants.routing.RungFacts;
import io.sluice.tenants.routing.Start;
import io.sluice.tenants.routing.StartInput;
import io.sluice.tenants.routing.TargetFacts;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The words in which a request is told that no model answered: what happened, what was tried, what to do. */
final class Stops {
    /** Where nobody says when it is worth coming back. */
    private static final long RETRY_DEFAULT_MS = 1_000;

    /** SDKs give up on longer waits (wire facts: 60 to 120 s). */
    private static final long RETRY_MAX_MS = 60_000;

    /** Why one more attempt was not made, at the end of what a caller is told. */
    private static final String RETRIES_SPENT =
            "; it was not repeated, because too many requests of these models were repeated lately";

    /** What a caller has to know of a request that may have acted: a repeat by itself could act twice. */
    private static final String OUTCOME_UNKNOWN =
            "it may have taken effect, how it ended is not known; find out whether it took effect before you send it again";

    private Stops() {}

    /** No rung answered; {@code last} is the attempt that ended last, null where none was made. */
    static Stop nobody(Planned planned, QueueStep queue, CallEnd last, Attempts attempts, Pools pools) {
        if (last == null) {
            return queue.waits().isEmpty() ? noCandidate(planned, pools) : busy(planned, queue);
        }
        Stop stop = failed(planned, last, attempts.records(), pools);
        return attempts.stoppedByRetryBudget() ? stop.and(RETRIES_SPENT) : stop;
    }

    /** No candidate could even start. */
    private static Stop noCandidate(Planned planned, Pools pools) {
        Refusal refusal = planned.plan().refused();
        String scenario = planned.identified().scenario().name();
        if (refusal == Refusal.CONTEXT_LENGTH_EXCEEDED) {
            return Stop.of(
                    refusal,
                    "the messages have about " + planned.input().request().promptTokens()
                            + " tokens and exceed the maximum context length of every model that may answer \""
                            + scenario
                            + "\"; send less, or choose a model with a larger window",
                    "messages");
        }
        if (refusal == Refusal.INVALID_REQUEST) {
            return Stop.of(
                    refusal,
                    "no model that may answer \"" + scenario + "\" can do what the request asks for: "
                            + reasons(planned.plan().excluded()) + "; leave it out, or choose another model",
                    null);
        }
        if (BudgetStops.decided(planned.plan())) {
            return BudgetStops.stop(planned);
        }
        if (remaining(planned) <= 0 || (refusal == null && pastDeadline(planned))) {
            return Stop.of(
                    Refusal.DEADLINE_EXCEEDED,
                    "the deadline of " + planned.identified().deadlineMs()
                            + " ms leaves no time for an attempt; send a larger X-Deadline-Ms, or leave it out",
                    null);
        }
        Start start = planned.plan().start();
        if (start != null && start.switchId() != null) {
            return switchedOff(planned, start.switchId());
        }
        return Stop.later(
                Refusal.NO_HEALTHY_TARGET,
                "no target of \"" + scenario + "\" can take the request now: "
                        + reasons(planned.plan().excluded()) + "; come back after the time that retry-after names",
                untilProbeMs(planned, pools));
    }

    /** SDKs need not repeat by themselves: a switch is on for hours or days. */
    private static Stop switchedOff(Planned planned, String switchId) {
        RequestKind kind = planned.identified().kind();
        String words = kind.mayDescend()
                ? "sends requests further down, and no rung below can take the request now: "
                        + reasons(planned.plan().excluded())
                : "has taken out the first rung, and a " + kind + " request may not be answered by a lower one";
        return new Stop(
                Refusal.NO_HEALTHY_TARGET,
                "\"" + planned.identified().scenario().name() + "\" is degraded by hand: the switch \"" + switchId
                        + "\" " + words + end(planned.input().start(), switchId),
                null,
                0,
                false);
    }

    /** When the switch ends, as far as it is known when the request is planned: by hand it may be sooner. */
    private static String end(StartInput input, String switchId) {
        return Stream.ofNullable(input)
                .flatMap(each -> each.switches().stream())
                .filter(each -> each.id().equals(switchId))
                .map(each -> "; the switch ends by itself at " + Instant.ofEpochMilli(each.untilMs())
                        + ", and the operators of the gateway can end it sooner")
                .findFirst()
                .orElse("; ask the operators of the gateway when it ends");
    }

    /** All that could serve the request were busy, and waiting for them did not help. */
    private static Stop busy(Planned planned, QueueStep queue) {
        QueueWait last = queue.waits().get(queue.waits().size() - 1);
        String why = switch (last.end()) {
            case FULL -> "and so is the queue for them";
            case SHED ->
                "and their queue is too long to be served in time, so that the least urgent requests were turned away";
            case SERVED, EXPIRED, LEFT -> "and none came free within " + last.allowedMs() + " ms";
        };
        return Stop.later(
                Refusal.QUEUE_FULL,
                "all places at the models of \""
                        + planned.identified().scenario().name() + "\" are taken, " + why + "; come back later",
                Math.max(RETRY_DEFAULT_MS, queue.retryAfterMs()));
    }

    private static long remaining(Planned planned) {
        long elapsedMs = (System.nanoTime() - planned.identified().arrival().startNs()) / 1_000_000;
        return planned.identified().deadlineMs() - elapsedMs;
    }

    /** Whether every pool wants more time than is left. */
    private static boolean pastDeadline(Planned planned) {
        long left = remaining(planned);
        return planned.identified().ladder().stream()
                .allMatch(rung -> !(rung instanceof CompiledRung.Pool pool) || pool.minRemainingMs() > left);
    }

    private static String reasons(List<Excluded> excluded) {
        String text = excluded.stream()
                .map(Excluded::reason)
                .distinct()
                .map(Reason::text)
                .collect(Collectors.joining("; "));
        return text.isEmpty() ? "all permits are taken" : text;
    }

    /** When the first open breaker lets a probe through, or the first account has quota again. */
    private static long untilProbeMs(Planned planned, Pools pools) {
        long soonest = Long.MAX_VALUE;
        for (CompiledRung rung : planned.identified().ladder()) {
            if (rung instanceof CompiledRung.Pool pool) {
                for (CompiledTarget target : pool.pool().targets()) {
                    var gauge = pools.gauges(pool.pool().id()).of(target.key());
                    if (gauge.breaker() == BreakerState.OPEN) {
                        soonest = Math.min(soonest, gauge.closedUntilMs() - pools.nowMs());
                    }
                }
            }
        }
        for (RungFacts rung : planned.input().ladder()) {
            for (TargetFacts target : rung.targets()) {
                soonest = target.quotaMs() > 0 ? Math.min(soonest, target.quotaMs()) : soonest;
            }
        }
        return soonest == Long.MAX_VALUE
                ? RETRY_DEFAULT_MS
                : Math.min(RETRY_MAX_MS, Math.max(RETRY_DEFAULT_MS, soonest));
    }

    /** The last attempt failed and nothing was left to try. */
    static Stop failed(Planned planned, CallEnd last, List<AttemptRecord> attempts, Pools pools) {
        FailureClass failure = last.failure();
        if (outcomeUnknown(planned, attempts)) {
            return new Stop(
                    failure.whenLast(), tried(planned, attempts) + "; " + outcomeUnknown(planned), null, 0, false);
        }
        return switch (failure) {
            case BAD_REQUEST ->
                Stop.of(
                        failure.whenLast(),
                        "the model's provider refused the request, so correct it: " + CallerText.of(last.message()),
                        null);
            case CONTEXT_LENGTH ->
                Stop.of(
                        failure.whenLast(),
                        "the request exceeds the maximum context length of the model, so send less: "
                                + CallerText.of(last.message()),
                        "messages");
            case CONTENT_FILTER ->
                Stop.of(
                        failure.whenLast(),
                        "the provider's content filter refused the request, so ask differently: "
                                + CallerText.of(last.message()),
                        "messages");
            case QUOTA_EXHAUSTED, AUTH ->
                new Stop(
                        failure.whenLast(),
                        tried(planned, attempts) + "; its operator has to act, a repeat changes nothing",
                        null,
                        0,
                        false);
            case RATE_LIMITED, OVERLOADED ->
                Stop.later(
                        failure.whenLast(),
                        tried(planned, attempts) + "; come back later, after the time that retry-after names",
                        Math.max(Math.min(last.retryAfterMs(), RETRY_MAX_MS), untilProbeMs(planned, pools)));
            case TIMEOUT_FIRST_TOKEN, TIMEOUT_TOTAL ->
                Stop.of(
                        failure.whenLast(),
                        tried(planned, attempts) + "; try again: the whole request had "
                                + planned.identified().deadlineMs()
                                + " ms, the shorter of the scenario's deadline and your X-Deadline-Ms",
                        null);
            default -> Stop.of(failure.whenLast(), tried(planned, attempts) + "; try again", null);
        };
    }

    /** A request that must not have its effect twice was sent, and an upstream may have acted on it. */
    private static boolean outcomeUnknown(Planned planned, List<AttemptRecord> attempts) {
        return planned.identified().kind() != RequestKind.READ
                && attempts.stream().anyMatch(AttemptRecord::mayHaveActed);
    }

    /** The words for such a request. */
    private static String outcomeUnknown(Planned planned) {
        return OUTCOME_UNKNOWN + underAnotherKey(planned);
    }

    /** The key stands for the first request, however it ended. */
    private static String underAnotherKey(Planned planned) {
        return planned.identified().idempotencyKey() == null ? "" : " under a new Idempotency-Key";
    }

    /** Steps and classes of all attempts, and why no lower step answered; {@code attempts} is never empty. */
    private static String tried(Planned planned, List<AttemptRecord> attempts) {
        StringBuilder text = new StringBuilder("no model of \"")
                .append(planned.identified().scenario().name())
                .append("\" answered: ")
                .append(attempts.size())
                .append(attempts.size() == 1 ? " attempt was made" : " attempts were made");
        String step = null;
        for (AttemptRecord attempt : attempts) {
            text.append(
                    attempt.step().equals(step)
                            ? ", then "
                            : (step == null ? ": " : "; ") + "step \"" + attempt.step() + "\" failed with ");
            text.append(attempt.failure()).append(answered(attempt));
            step = attempt.step();
        }
        if (attempts.size() >= planned.identified().scenario().settings().attemptsMax()) {
            text.append("; a request of this scenario may make no more");
        }
        if (!planned.identified().kind().mayDescend()
                && planned.identified().ladder().size() > 1) {
            text.append("; lower steps may not answer a request of kind ")
                    .append(planned.identified().kind());
        }
        return text.toString();
    }

    /** NETWORK may be a cable or somebody who answers; other classes say enough. */
    private static String answered(AttemptRecord attempt) {
        return attempt.failure() == FailureClass.NETWORK && attempt.upstreamStatus() >= 500
                ? " (it answered " + attempt.upstreamStatus() + ")"
                : "";
    }

    /** The status of a refusal that repeats a provider's own; 0 where the table's holds. */
    static int statusOf(CallEnd last) {
        boolean theirs = last.failure() == FailureClass.BAD_REQUEST && last.status() >= 400 && last.status() < 500;
        return theirs ? last.status() : 0;
    }

    /** A stream broke off after its commit point, so the call was sent. */
    static Stop incomplete(Planned planned, CallEnd end) {
        FailureClass failure = end.failure();
        Refusal refusal = failure == FailureClass.CONTENT_FILTER || failure == FailureClass.BAD_REQUEST
                ? failure.whenLast()
                : failure.whenLast() == Refusal.DEADLINE_EXCEEDED ? Refusal.DEADLINE_EXCEEDED : Refusal.UPSTREAM_FAILED;
        String words = failure == FailureClass.BAD_REQUEST || failure == FailureClass.CONTENT_FILTER
                ? " (" + CallerText.of(end.message()) + ")"
                : end.status() >= 400 ? " (status " + end.status() + ")" : "";
        return Stop.of(
                refusal,
                "the answer is incomplete: the model's stream broke off with " + failure.name() + words + "; "
                        + whatToDo(planned),
                null);
    }

    /** The end of what the caller of a part is told. */
    private static String whatToDo(Planned planned) {
        return "what you have is valid up to here, "
                + (planned.identified().kind() == RequestKind.READ
                        ? "send the request again" + underAnotherKey(planned) + " for a whole answer"
                        : "but the request has a kind that may act: " + outcomeUnknown(planned));
    }

    /** The node goes down and can wait for a request no longer; its caller has a part of the answer. */
    static Stop drainedWithin(Planned planned) {
        return Stop.later(
                Refusal.DRAINING,
                "this node is shutting down, so the answer is incomplete: " + whatToDo(planned),
                RETRY_DEFAULT_MS);
    }

    /** The node goes down and can wait for a request no longer, whose answer has not begun. */
    static Stop drained(Planned planned, List<AttemptRecord> attempts) {
        return outcomeUnknown(planned, attempts)
                ? new Stop(
                        Refusal.DRAINING,
                        "this node is shutting down and could not wait for the model's answer; the request was sent, and "
                                + outcomeUnknown(planned),
                        null,
                        0,
                        false)
                : drainedUnsent();
    }

    /** The node goes down, and nothing was sent that could have acted. */
    static Stop drainedUnsent() {
        return Stop.later(
                Refusal.DRAINING,
                "this node is shutting down and could not finish the request in time; send it again",
                RETRY_DEFAULT_MS);
    }

    /** The switch that degrades the request; null where none does. */
    static String switchedBy(Planned planned) {
        Start start = planned.plan().start();
        return start == null || start.switchId() == null ? null : "switch " + start.switchId();
    }
}
