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
    /**
     * At some 1 KB each, and twice as many at most. Of more pairs than these that take turns some are found again; to forget all at
     * once would be to find nearly every one again for each request.
     */
    static final int PAIRS_MAX = 16_384;

    private final BiFunction<Caller, CompiledScenario, T> find;
    private Pairs<T> found = new Pairs<>();
    private Pairs<T> before = new Pairs<>();
    private Map<String, CompiledKey> configured;

    private static final class Pairs<T> {
        private final IdentityHashMap<CompiledKey, IdentityHashMap<CompiledScenario, T>> ofKeys =
                new IdentityHashMap<>();
        private int count;

        T get(CompiledKey key, CompiledScenario scenario) {
            IdentityHashMap<CompiledScenario, T> ofKey = ofKeys.get(key);
            return ofKey == null ? null : ofKey.get(scenario);
        }

        void put(CompiledKey key, CompiledScenario scenario, T what) {
            ofKeys.computeIfAbsent(key, made -> new IdentityHashMap<>(2)).put(scenario, what);
            count++;
        }
    }

    /** @param find reads nothing of a caller but its key and its tenant */
    PairBook(BiFunction<Caller, CompiledScenario, T> find) {
        this.find = find;
    }

    /** @param scenario null where it is not known what the request is for */
    T of(Caller caller, CompiledScenario scenario) {
        Map<String, CompiledKey> keys = caller.arrival().snapshot().keys();
        if (keys != configured) {
            configured = keys;
            found = new Pairs<>();
            before = new Pairs<>();
        }
        T there = found.get(caller.key(), scenario);
        return there != null ? there : kept(caller, scenario);
    }

    private T kept(Caller caller, CompiledScenario scenario) {
        T there = before.get(caller.key(), scenario);
        if (there == null) {
            there = find.apply(caller, scenario);
        }
        if (found.count >= PAIRS_MAX) {
            before = found;
            found = new Pairs<>();
        }
        found.put(caller.key(), scenario, there);
        return there;
    }
}
