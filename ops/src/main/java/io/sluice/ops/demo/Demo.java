package io.sluice.ops.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.CommandOutcome;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.Principal;
import io.sluice.plugins.api.Secret;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.key.KeyFormat;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The tenant {@value #TENANT}: two simulated providers, three tiers, scenarios with ladders, an app and its key, made by the
 * same commands that a person would use. What exists is left alone, so a change made to the demo survives a restart. The key
 * is kept in the data directory, so that the line printed at every start works.
 */
public final class Demo {
    static final String TENANT = "demo";
    private static final String APP = "quickstart";
    private static final String SCENARIO = "assistant";
    private static final TenantId ID = new TenantId(TENANT);
    private static final Principal WHO = new Principal(Role.PLATFORM_ADMIN, null, "demo");

    private final ControlPlaneApi api;
    private final KeyFile keyFile;

    private Demo(ControlPlaneApi api, Path dataDir) {
        this.api = api;
        this.keyFile = new KeyFile(dataDir.resolve("demo.key"));
    }

    /**
     * Makes what is missing.
     *
     * @return the demo's API key; fails with {@link DemoFailedException}
     */
    public static Future<Secret> ensure(ControlPlaneApi api, Path dataDir) {
        return new Demo(api, dataDir).ensure();
    }

    private Future<Secret> ensure() {
        return tenant().compose(done -> objects()).compose(done -> key());
    }

    private Future<Void> tenant() {
        return unless(() -> tree().isPresent(), new ConfigCommand.CreateTenant(TENANT, "Demo", "UTC", "USD"));
    }

    private Future<Void> objects() {
        return unless(
                () -> tree().map(tree -> tree.scenarios().containsKey(SCENARIO)).orElse(false),
                new ConfigCommand.ApplyDocument(TENANT, document(), false, null));
    }

    /** Nodes of a cluster that start together make it at the same moment, and one of them does. */
    private Future<Void> unless(BooleanSupplier there, ConfigCommand command) {
        return there.getAsBoolean()
                ? Future.succeededFuture()
                : execute(command)
                        .<Void>mapEmpty()
                        .recover(failure ->
                                there.getAsBoolean() ? Future.succeededFuture() : Future.failedFuture(failure));
    }

    private Future<Secret> key() {
        Optional<String> kept = keyFile.read().filter(this::serves);
        if (kept.isPresent()) {
            return Future.succeededFuture(new Secret(kept.get()));
        }
        return execute(new ConfigCommand.CreateApiKey(TENANT, APP, null, SCENARIO, null, null, null, null, null))
                .map(outcome -> {
                    keyFile.write(outcome.secret());
                    return new Secret(outcome.secret());
                });
    }

    private boolean serves(String key) {
        Optional<ApiKeyConfig> known = KeyFormat.API_KEY
                .parse(key)
                .flatMap(parts -> tree().map(tree -> tree.keys().get(parts.id())));
        return known.isPresent() && known.get().revokedAt() == null;
    }

    private Optional<TenantTree> tree() {
        Configuration now = api.configuration();
        return Optional.ofNullable(now.tenants().get(ID));
    }

    private Future<CommandOutcome> execute(ConfigCommand command) {
        return api.execute(WHO, command)
                .compose(outcome -> outcome.errors().isEmpty()
                        ? Future.succeededFuture(outcome)
                        : Future.failedFuture(new DemoFailedException("the demo tenant could not be made: "
                                + outcome.errors() + "; start with --empty or with another --data-dir")));
    }

    private static JsonNode document() {
        try (InputStream json = Demo.class.getResourceAsStream("demo.json")) {
            return StrictJson.MAPPER.readTree(json);
        } catch (IOException broken) {
            throw new DemoFailedException("the demo's document can't be read", broken);
        }
    }
}
