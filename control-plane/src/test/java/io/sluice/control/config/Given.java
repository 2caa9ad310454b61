package io.sluice.control.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.CreateApiKey;
import io.sluice.control.api.ConfigCommand.CreateApp;
import io.sluice.control.api.ConfigCommand.CreateTenant;
import io.sluice.control.api.ConfigCommand.PutModel;
import io.sluice.control.api.ConfigCommand.PutPool;
import io.sluice.control.api.ConfigCommand.PutPrice;
import io.sluice.control.api.ConfigCommand.PutProvider;
import io.sluice.control.api.ConfigCommand.PutScenario;
import io.sluice.control.config.ConfigDecision.Accepted;
import io.sluice.control.config.ConfigDecision.Refused;
import io.sluice.control.config.DecisionContext.Minted;
import io.sluice.control.config.DecisionContext.Sealer;
import io.sluice.plugins.api.Provider;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.ProviderSettings;
import io.sluice.plugins.api.SettingProblem;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.key.KeyFormat;
import io.sluice.tenants.net.AddressRule;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Configurations and commands that tests begin with. */
public final class Given {
    public static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

    private Given() {}

    /** A plugin that knows one setting, {@code latencyMs}, and wants a whole number. */
    public static final ProviderFactory SIMULATOR = new ProviderFactory() {
        @Override
        public String plugin() {
            return "simulator";
        }

        @Override
        public int apiVersion() {
            return 1;
        }

        @Override
        public List<SettingProblem> check(ProviderSettings settings) {
            List<SettingProblem> problems = new ArrayList<>();
            JsonNode latency = settings.settings().get("latencyMs");
            if (latency != null && !latency.isIntegralNumber()) {
                problems.add(new SettingProblem(List.of("settings", "latencyMs"), "must be a whole number"));
            }
            if (settings.baseUrl().contains("wrong")) {
                problems.add(new SettingProblem(List.of("baseUrl"), "must not be wrong"));
            }
            return problems;
        }

        @Override
        public Future<Provider> create(ProviderSettings settings, Vertx vertx) {
            return Future.failedFuture("never made in these tests");
        }
    };

    /** Seals by writing backwards: good enough where only the calls matter. */
    private static final Sealer BACKWARDS = new Sealer() {
        @Override
        public CredentialRef.Sealed seal(TenantId owner, String provider, String credential) {
            return new CredentialRef.Sealed(provider + "/" + new StringBuilder(credential).reverse());
        }

        @Override
        public boolean holds(TenantId owner, String provider, CredentialRef.Sealed sealed, String credential) {
            return seal(owner, provider, credential).equals(sealed);
        }
    };

    /** As a platform administrator has it. */
    public static DecisionContext context() {
        return context(Role.PLATFORM_ADMIN);
    }

    public static DecisionContext context(Role role) {
        return new DecisionContext(
                NOW,
                format -> new Minted("abcdefghijkl", format.shown("abcdefghijkl") + "_secret", "00".repeat(32)),
                Map.of("simulator", SIMULATOR),
                AddressRule.WITH_LOOPBACK,
                BACKWARDS,
                new CredentialPlaces(Path.of("/srv/sluice")),
                true,
                role);
    }

    /** Tenant acme with app web, provider sim, models small and large with prices, pool std, scenario chat. */
    public static Configuration acme() {
        Configuration configuration = Configuration.EMPTY;
        for (ConfigCommand command : acmeCommands("acme")) {
            configuration = after(configuration, command);
        }
        return configuration;
    }

    public static List<ConfigCommand> acmeCommands(String tenant) {
        return List.of(
                tenant(tenant),
                new CreateApp(tenant, "web", "Web"),
                provider(tenant, "sim"),
                model(tenant, "small"),
                model(tenant, "large"),
                new PutPrice(tenant, "small", "2020-01-01T00:00:00Z", "0.1", "0.4", null, null),
                new PutPrice(tenant, "large", "2020-01-01T00:00:00Z", "1", "4", null, null),
                pool(tenant, "std"),
                scenario(tenant, "chat"));
    }

    public static CreateTenant tenant(String id) {
        return new CreateTenant(id, "Acme", "Europe/Berlin", "USD");
    }

    public static PutProvider provider(String tenant, String id) {
        return new PutProvider(tenant, id, null, "simulator", null, null, null, null, null, null, null, null);
    }

    public static PutModel model(String tenant, String id) {
        return new PutModel(tenant, id, null, 8_000, 1_000, true, false, false);
    }

    public static PutPool pool(String tenant, String id) {
        return pool(tenant, id, new PutPool.Target("sim", "small", null, 100));
    }

    public static PutPool pool(String tenant, String id, PutPool.Target... targets) {
        return new PutPool(tenant, id, null, "STANDARD", List.of(targets));
    }

    public static PutScenario scenario(String tenant, String name) {
        return scenario(tenant, name, poolRung("first", "std"));
    }

    public static PutScenario scenario(String tenant, String name, PutScenario.Rung... ladder) {
        return new PutScenario(tenant, name, null, "SEMANTIC", "READ", true, null, null, List.of(ladder), null, null);
    }

    public static PutScenario.Rung poolRung(String name, String pool) {
        return new PutScenario.Rung(name, pool, null, null, null, null, null, null, null, null);
    }

    public static PutScenario.Rung textRung(String name, String text) {
        return new PutScenario.Rung(name, null, null, null, text, null, null, null, null, null);
    }

    public static PutPrice price(String tenant, String model, String input, String output) {
        return new PutPrice(tenant, model, null, input, output, null, null);
    }

    public static CreateApiKey key(String tenant) {
        return new CreateApiKey(tenant, "web", null, "chat", null, null, null, null, null);
    }

    /** The same command with some members changed, by their names as in the schema. */
    public static <C extends ConfigCommand> C with(C command, String member, Object value) {
        try {
            var components = command.getClass().getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            Object[] values = new Object[components.length];
            boolean found = false;
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                boolean same = components[i].getName().equals(member);
                values[i] = same ? value : components[i].getAccessor().invoke(command);
                found |= same;
            }
            if (!found) {
                throw new IllegalArgumentException("no member " + member);
            }
            var constructor = command.getClass().getDeclaredConstructor(types);
            @SuppressWarnings("unchecked") // a constructor of C's own class makes a C
            C changed = (C) constructor.newInstance(values);
            return changed;
        } catch (ReflectiveOperationException wrongTest) {
            throw new IllegalStateException(wrongTest);
        }
    }

    public static JsonNode json(String text) {
        try {
            return StrictJson.MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException wrongTest) {
            throw new UncheckedIOException(wrongTest);
        }
    }

    /** The mistakes that somebody of {@code role} makes. */
    public static List<String> mistakes(Role role, Configuration configuration, ConfigCommand command) {
        return ConfigDecider.decide(configuration, command, context(role))
                .fold(accepted -> List.<UserError>of(), Refused::errors)
                .stream()
                .map(error -> String.join(".", error.path()) + " " + error.code())
                .toList();
    }

    public static ConfigDecision decide(Configuration configuration, ConfigCommand command) {
        return ConfigDecider.decide(configuration, command, context());
    }

    public static Accepted accepted(Configuration configuration, ConfigCommand command) {
        return decide(configuration, command).fold(accepted -> accepted, refused -> {
            throw new AssertionError("refused: " + refused.errors());
        });
    }

    public static Configuration after(Configuration configuration, ConfigCommand command) {
        return accepted(configuration, command).configuration();
    }

    /** The mistakes as {@code path CODE}, in the order in which they are reported. */
    public static List<String> mistakes(Configuration configuration, ConfigCommand command) {
        return errors(configuration, command).stream()
                .map(error -> String.join(".", error.path()) + " " + error.code())
                .toList();
    }

    public static List<UserError> errors(Configuration configuration, ConfigCommand command) {
        return decide(configuration, command).fold(accepted -> List.of(), Refused::errors);
    }

    /** Keys of the format that the product makes, from a counter. */
    public static DecisionContext.KeyMint counting() {
        Map<KeyFormat, Integer> made = new HashMap<>();
        return format -> {
            byte[] bits = new byte[KeyFormat.ID_BYTES + KeyFormat.SECRET_BYTES];
            bits[7] = made.merge(format, 1, Integer::sum).byteValue();
            String key = format.make(bits);
            return new Minted(format.parse(key).orElseThrow().id(), key, "00".repeat(32));
        };
    }
}
