package io.sluice.tenants.decision;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.fault.FaultDraw;
import io.sluice.tenants.json.RecordWriter;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.routing.AttemptDecider;

/**
 * One call of one upstream, as it ended.
 *
 * @param n 1 for the first
 * @param rung index in the ladder
 * @param target index in the rung's targets
 * @param failure null where it succeeded
 * @param upstreamStatus HTTP status, 0 where none came
 * @param sent whether the request had left for the upstream
 * @param detail what the upstream said, shortened and without secrets; for operators only; may be null
 * @param startedMs since the request came
 * @param firstTokenMs since the attempt started; -1 where no content came
 * @param totalMs since the attempt started
 * @param cost null where the model has no price or nothing was charged
 * @param next input of the verdict after a failure; null after a success
 * @param verdict what followed; null after a success
 * @param fault what it met of the tenant's fault rules; null where none applied
 * @param priceVersion of the price that {@code cost} was made with; null where the model has no price
 * @param serviceTier in which it was served, where the price depends on that
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AttemptRecord(
        int n,
        int rung,
        int target,
        String step,
        String provider,
        String model,
        FailureClass failure,
        int upstreamStatus,
        boolean sent,
        String detail,
        double startedMs,
        double firstTokenMs,
        double totalMs,
        TokenUsage usage,
        Money cost,
        AttemptDecider.Input next,
        AttemptDecider.Verdict verdict,
        FaultDraw fault,
        String priceVersion,
        String serviceTier)
        implements RecordWriter.Written {
    /** The lowest status that says that the request was not carried out, and the one that follows the highest. */
    private static final int REFUSED_FROM = 400;

    private static final int REFUSED_BELOW = 500;

    /** The upstream lost patience, perhaps at work. */
    private static final int REQUEST_TIMEOUT = 408;

    @Override
    public void members(RecordWriter out) {
        out.whole("n", n);
        out.whole("rung", rung);
        out.whole("target", target);
        out.text("step", step);
        out.text("provider", provider);
        out.text("model", model);
        out.word("failure", failure);
        out.whole("upstreamStatus", upstreamStatus);
        out.flag("sent", sent);
        out.text("detail", detail);
        out.decimal("startedMs", startedMs);
        out.decimal("firstTokenMs", firstTokenMs);
        out.decimal("totalMs", totalMs);
        out.object("usage", usage);
        out.spelled("cost", cost);
        out.any("next", next);
        out.any("verdict", verdict);
        out.any("fault", fault);
        out.text("priceVersion", priceVersion);
        out.text("serviceTier", serviceTier);
    }

    /** Id of the fault rule that struck; null where none did. */
    public String struckBy() {
        return fault == null ? null : fault.struck();
    }

    /**
     * Whether the upstream may have done what the request asks for. It has not where nothing was sent, where it refused by a status,
     * and where it had no room or no money for the call.
     */
    public boolean mayHaveActed() {
        if (!sent) {
            return false;
        }
        boolean refused =
                upstreamStatus >= REFUSED_FROM && upstreamStatus < REFUSED_BELOW && upstreamStatus != REQUEST_TIMEOUT;
        boolean noRoom = upstreamStatus >= REFUSED_FROM
                && (failure == FailureClass.OVERLOADED
                        || failure == FailureClass.RATE_LIMITED
                        || failure == FailureClass.QUOTA_EXHAUSTED);
        return !refused && !noRoom;
    }
}
