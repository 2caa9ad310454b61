package io.sluice.data.request;

import io.sluice.tenants.routing.CompiledKey;
import io.sluice.tenants.routing.CompiledScenario;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * What follows from the configuration for the requests of a key for a scenario, found once and kept until the configuration changes.
 * For one event loop.
 */
final class PairBook<T> {
    /** At some 1 KB each; a loop that serves more pairs than these begins anew. */
    private static final int PAIRS_MAX = 10_000;

    private final BiFunction<Caller, CompiledScenario, T> find;
    private final IdentityHashMap<CompiledKey, IdentityHashMap<CompiledScenario, T>> found = new IdentityHashMap<>();
    private Map<String, CompiledKey> configured;
    private int pairs;

    /** @param find reads nothing of a caller but its key and its tenant */
    PairBook(BiFunction<Caller, CompiledScenario, T> find) {
        this.find = find;
    }

    /** @param scenario null where it is not known what the request is for */
    T of(Caller caller, CompiledScenario scenario) {
        Map<String, CompiledKey> keys = caller.arrival().snapshot().keys();
        if (keys != configured || pairs >= PAIRS_MAX) {
            configured = keys;
            found.clear();
            pairs = 0;
        }
        IdentityHashMap<CompiledScenario, T> ofKey =
                found.computeIfAbsent(caller.key(), made -> new IdentityHashMap<>(2));
        T there = ofKey.get(scenario);
        if (there == null) {
            there = find.apply(caller, scenario);
            ofKey.put(scenario, there);
            pairs++;
        }
        return there;
    }
}
