package io.sluice.data.upstream;

import io.sluice.plugins.api.Provider;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.ProviderSettings;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.ProviderConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The codecs of all configured providers, made by their plugins when a configuration arrives and kept while it does not
 * change. {@link #prepare} is called by one actor; {@link #get} by any thread.
 */
public final class Providers {
    /** A replaced provider is closed after this: longer than any request that may still use it. */
    private static final long CLOSE_DELAY_MS = 180_000;

    private static final Logger LOG = LoggerFactory.getLogger(Providers.class);

    private final Vertx vertx;
    private final Map<String, ProviderFactory> factories;
    private final AddressPolicy policy;
    private volatile Map<ScopedId, RunningProvider> running = Map.of();

    /**
     * No provider is running yet.
     *
     * @param factories by plugin word
     */
    public Providers(Vertx vertx, Map<String, ProviderFactory> factories, AddressPolicy policy) {
        this.vertx = vertx;
        this.factories = Map.copyOf(factories);
        this.policy = policy;
    }

    /** The provider, or null where the present configuration has none of that id. */
    RunningProvider get(ScopedId id) {
        return running.get(id);
    }

    /** Makes every provider of {@code wanted} ready; completes always: one that can not start is kept as failing. */
    public Future<Void> prepare(Map<ScopedId, ProviderConfig> wanted) {
        Map<ScopedId, RunningProvider> before = running;
        Map<ScopedId, RunningProvider> next = new HashMap<>();
        List<Future<?>> starting = new ArrayList<>();
        wanted.forEach((id, config) -> {
            RunningProvider kept = before.get(id);
            if (kept != null && kept.config().equals(config)) {
                next.put(id, kept);
            } else {
                starting.add(start(config).onSuccess(made -> next.put(id, made)));
            }
        });
        return Future.join(starting).otherwiseEmpty().map(done -> {
            running = Map.copyOf(next);
            before.forEach((id, old) -> closeLater(old, next.get(id)));
            return null;
        });
    }

    private Future<RunningProvider> start(ProviderConfig config) {
        ProviderFactory factory = factories.get(config.plugin());
        if (factory == null) {
            return Future.succeededFuture(failed(config, "no plugin named " + config.plugin() + " is installed"));
        }
        try {
            return factory.create(new ProviderSettings(config.baseUrl(), config.settings()), vertx)
                    .map(made -> new RunningProvider(config, made, new Origin(vertx, policy, made.origin()), null))
                    .recover(failure -> Future.succeededFuture(failed(config, String.valueOf(failure.getMessage()))));
        } catch (RuntimeException | LinkageError brokenPlugin) {
            return Future.succeededFuture(failed(config, brokenPlugin.toString()));
        }
    }

    private static RunningProvider failed(ProviderConfig config, String problem) {
        LOG.atWarn()
                .addKeyValue("provider", config.id().key())
                .addKeyValue("problem", problem)
                .log("A provider could not be started; its targets will fail");
        return new RunningProvider(config, null, null, problem);
    }

    private void closeLater(RunningProvider old, RunningProvider next) {
        if (old.provider() != null && !old.equals(next)) {
            vertx.setTimer(CLOSE_DELAY_MS, timer -> close(old.provider()));
        }
    }

    private static void close(Provider provider) {
        try {
            provider.close();
        } catch (RuntimeException brokenPlugin) {
            LOG.warn("A plugin failed while it was closed", brokenPlugin);
        }
    }

    /** Closes all providers at once, for the end of the process. */
    public void close() {
        running.values().forEach(each -> {
            if (each.provider() != null) {
                close(each.provider());
            }
        });
        running = Map.of();
    }
}
