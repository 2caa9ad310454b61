package io.sluice.data.request;

import io.sluice.data.limit.LimitPermit;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.LimitRecord;
import io.sluice.tenants.limit.LimitInput;
import io.sluice.tenants.limit.TokenEstimate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A request that its limits let in: holds what it took until it is over. For one request on one event loop. */
final class Admitted {
    private final LimitInput input;
    private final LimitPermit permit;
    private final AtomicInteger usual;
    private long tokensUsed;

    /** @param usual tokens of usual answers, to be told of this one; null where no limit on tokens applies */
    Admitted(LimitInput input, LimitPermit permit, AtomicInteger usual) {
        this.input = input;
        this.permit = permit;
        this.usual = usual;
    }

    /** Which tokens were used, by all attempts together. */
    void used(List<AttemptRecord> attempts) {
        for (int i = 0; i < attempts.size(); i++) {
            AttemptRecord attempt = attempts.get(i);
            tokensUsed += attempt.usage().promptTotal() + attempt.usage().outputTotal();
            if (usual != null && attempt.failure() == null) {
                int answer = (int) Math.min(Integer.MAX_VALUE, attempt.usage().outputTotal());
                usual.updateAndGet(before -> TokenEstimate.usualAfter(before, answer));
            }
        }
        permit.used(tokensUsed);
    }

    /** The request is over. */
    void end() {
        permit.end();
    }

    /** The request is refused by a later step, as if it had never come. */
    void undo() {
        permit.undo();
    }

    LimitRecord record() {
        return new LimitRecord(input.tightest(), tokensUsed);
    }
}
