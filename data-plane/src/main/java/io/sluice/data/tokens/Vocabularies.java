package io.sluice.data.tokens;

import io.sluice.tenants.money.Vocabulary;
import io.sluice.tenants.routing.CompiledPool;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.CompiledTenant;
import io.sluice.tenants.routing.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads the vocabularies of the models that are configured, before a request needs one; others never. Thread-safe. */
public final class Vocabularies {
    private static final Logger LOG = LoggerFactory.getLogger(Vocabularies.class);

    private final Vertx vertx;
    private final TokenCounter counter;

    public Vocabularies(Vertx vertx, TokenCounter counter) {
        this.vertx = vertx;
        this.counter = counter;
    }

    /** Loads what {@code snapshot} needs, on a worker thread; complete when all is there. */
    public Future<Void> prepare(Snapshot snapshot) {
        return vertx.<Void>executeBlocking(
                        () -> {
                            needed(snapshot).stream()
                                    .filter(each -> !counter.ready(each))
                                    .forEach(counter::load);
                            return null;
                        },
                        false)
                .onFailure(failure ->
                        LOG.warn("A vocabulary could not be loaded; it is tried again when it is needed", failure));
    }

    private static Set<Vocabulary> needed(Snapshot snapshot) {
        // Tenants share the platform's pools, and a thousand of those for ten thousand tenants are looked at once.
        Set<Map<String, CompiledPool>> shared = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Vocabulary> needed = EnumSet.noneOf(Vocabulary.class);
        for (CompiledTenant tenant : snapshot.tenants().values()) {
            add(tenant.pools().own(), needed);
            if (shared.add(tenant.pools().platform())) {
                add(tenant.pools().platform(), needed);
            }
        }
        return needed;
    }

    private static void add(Map<String, CompiledPool> pools, Set<Vocabulary> needed) {
        for (CompiledPool pool : pools.values()) {
            for (CompiledTarget target : pool.targets()) {
                Vocabulary.of(target.nameUpstream()).ifPresent(needed::add);
            }
        }
    }
}
