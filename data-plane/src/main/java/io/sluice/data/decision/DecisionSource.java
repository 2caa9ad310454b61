package io.sluice.data.decision;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.decision.DecisionRecord;
import io.vertx.core.Future;
import java.util.Optional;

/** Where decision records are found. Any thread. */
@FunctionalInterface
public interface DecisionSource {
    /** The newest record of a trace; {@code tenant} null means anyone's. */
    Future<Optional<DecisionRecord>> find(TenantId tenant, String traceId);
}
