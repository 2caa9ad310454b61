package io.sluice.data.pool;

import io.sluice.tenants.routing.CompiledTarget;
import io.vertx.core.Future;

/** Touches an idle target's provider, so that the next request finds it warm. May be called from any thread. */
@FunctionalInterface
public interface WarmCaller {
    /** True where it answered, false where its provider has no call for that; fails where it did not answer. */
    Future<Boolean> ping(CompiledTarget target);
}
