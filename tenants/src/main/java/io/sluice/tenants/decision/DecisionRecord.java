package io.sluice.tenants.decision;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.json.RecordWriter;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.routing.RouteInput;
import io.sluice.tenants.routing.RoutePlan;
import java.time.Instant;
import java.util.List;

/**
 * Why a request went where it went: every input of every decision, enough to make each again and get the same
 * ({@link DecisionReplay}). No prompt, no answer, no secret.
 *
 * @param traceId 32 lower-case hex digits
 * @param at when the request came
 * @param step rung that answered; null where none did
 * @param model {@code provider/model} that answered; null where none did
 * @param outcome {@code ok}, {@code incomplete} (a stream that broke), {@code replayed} (the first answer to the same idempotency
 *     key), {@code cached} (the answer to an equal request), {@code client_abort}, or the code of the refusal
 * @param durationMs from the first byte of the request to the end of the answer
 * @param overheadUs time spent in Sluice itself until the answer began, microseconds
 * @param cost of all attempts; null where unknown
 * @param plan what would have been tried, also where a remembered answer came before it
 * @param recall null where nothing is remembered of the request or for it
 * @param lane it ran in; null in records from before there were lanes
 * @param waits stays in queues, in their order
 * @param degraded null unless a lower rung answered
 * @param limits null where no limit applies to the request
 * @param uncovered null unless a model was passed over for want of money
 * @param context null where the request was not cut
 * @param prompt how the prompt was counted; null where it was bounded and estimated by its bytes
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DecisionRecord(
        String traceId,
        Instant at,
        TenantId tenant,
        String app,
        String keyId,
        String scenario,
        String step,
        String model,
        String outcome,
        int status,
        double durationMs,
        long overheadUs,
        Money cost,
        RouteInput input,
        RoutePlan plan,
        List<AttemptRecord> attempts,
        RecallRecord recall,
        Lane lane,
        List<QueueWait> waits,
        Degradation degraded,
        LimitRecord limits,
        Uncovered uncovered,
        ContextRecord context,
        PromptRecord prompt)
        implements RecordWriter.Written {
    public DecisionRecord {
        attempts = List.copyOf(attempts);
        waits = waits == null ? List.of() : List.copyOf(waits);
    }

    @Override
    public void members(RecordWriter out) {
        out.text("traceId", traceId);
        out.time("at", at);
        out.text("tenant", tenant == null ? null : tenant.value());
        out.text("app", app);
        out.text("keyId", keyId);
        out.text("scenario", scenario);
        out.text("step", step);
        out.text("model", model);
        out.text("outcome", outcome);
        out.whole("status", status);
        out.decimal("durationMs", durationMs);
        out.whole("overheadUs", overheadUs);
        out.spelled("cost", cost);
        out.object("input", input);
        out.object("plan", plan);
        out.each("attempts", attempts);
        out.any("recall", recall);
        out.word("lane", lane);
        out.any("waits", waits.isEmpty() ? null : waits);
        out.any("degraded", degraded);
        out.object("limits", limits);
        out.object("uncovered", uncovered);
        out.object("context", context);
        out.object("prompt", prompt);
    }
}
