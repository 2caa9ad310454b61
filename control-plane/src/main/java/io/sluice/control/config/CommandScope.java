package io.sluice.control.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.Action;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.ApplyDocument;
import io.sluice.control.api.ConfigCommand.CreateAccessToken;
import io.sluice.control.api.ConfigCommand.CreateApiKey;
import io.sluice.control.api.ConfigCommand.CreateApp;
import io.sluice.control.api.ConfigCommand.CreateTenant;
import io.sluice.control.api.ConfigCommand.EndFaultRule;
import io.sluice.control.api.ConfigCommand.EndSwitch;
import io.sluice.control.api.ConfigCommand.PutDrill;
import io.sluice.control.api.ConfigCommand.PutFaultRule;
import io.sluice.control.api.ConfigCommand.PutModel;
import io.sluice.control.api.ConfigCommand.PutPool;
import io.sluice.control.api.ConfigCommand.PutPrice;
import io.sluice.control.api.ConfigCommand.PutProvider;
import io.sluice.control.api.ConfigCommand.PutScenario;
import io.sluice.control.api.ConfigCommand.PutSwitch;
import io.sluice.control.api.ConfigCommand.PutWebhook;
import io.sluice.control.api.ConfigCommand.RemoveSpendCap;
import io.sluice.control.api.ConfigCommand.RemoveWebhook;
import io.sluice.control.api.ConfigCommand.RevokeApiKey;
import io.sluice.control.api.ConfigCommand.SetProviderBalance;
import io.sluice.control.api.ConfigCommand.SetSpendCap;
import io.sluice.control.api.ConfigCommand.StartDrill;
import io.sluice.control.api.ConfigCommand.StopDrill;
import io.sluice.control.api.ConfigCommand.UpdateTenant;
import java.util.ArrayList;
import java.util.List;

/**
 * Whose objects a command touches and what it takes to give it.
 *
 * @param tenant as typed; null means the platform
 * @param tenantMember the member that names the tenant
 * @param subject what the audit log calls the object
 */
public record CommandScope(String tenant, String tenantMember, List<Need> needs, String action, String subject) {
    /**
     * One right that is needed.
     *
     * @param path of the part of the input that needs it
     */
    public record Need(Action action, List<String> path) {}

    /** The scope of {@code command}. */
    public static CommandScope of(ConfigCommand command) {
        return command.fold(new Scopes());
    }

    /** A tenant that does not exist yet belongs to nobody. */
    boolean createsTenant() {
        return action.equals("createTenant");
    }

    private static final class Scopes implements ConfigCommand.Cases<CommandScope> {
        private static CommandScope scope(String tenant, Action need, String action, String subject) {
            return new CommandScope(tenant, "tenantId", List.of(new Need(need, List.of("tenantId"))), action, subject);
        }

        private static CommandScope ofTenant(String id, String action) {
            return new CommandScope(
                    id, "id", List.of(new Need(Action.WRITE_TENANT, List.of("id"))), action, "tenant/" + id);
        }

        @Override
        public CommandScope createTenant(CreateTenant command) {
            return ofTenant(command.id(), "createTenant");
        }

        @Override
        public CommandScope updateTenant(UpdateTenant command) {
            return ofTenant(command.id(), "updateTenant");
        }

        @Override
        public CommandScope createApp(CreateApp command) {
            return scope(command.tenantId(), Action.WRITE_APPS, "createApp", "app/" + command.id());
        }

        @Override
        public CommandScope createApiKey(CreateApiKey command) {
            return scope(command.tenantId(), Action.WRITE_KEYS, "createApiKey", "app/" + command.appId());
        }

        @Override
        public CommandScope revokeApiKey(RevokeApiKey command) {
            return scope(command.tenantId(), Action.REVOKE_KEYS, "revokeApiKey", "apiKey/" + command.id());
        }

        @Override
        public CommandScope createAccessToken(CreateAccessToken command) {
            return scope(
                    command.tenantId(),
                    Action.WRITE_ACCESS_TOKENS,
                    "createAccessToken",
                    "accessToken/" + command.name());
        }

        @Override
        public CommandScope putProvider(PutProvider command) {
            return scope(command.tenantId(), Action.WRITE_ROUTING, "putProvider", "provider/" + command.id());
        }

        @Override
        public CommandScope putModel(PutModel command) {
            return scope(command.tenantId(), Action.WRITE_ROUTING, "putModel", "model/" + command.id());
        }

        @Override
        public CommandScope putPool(PutPool command) {
            return scope(command.tenantId(), Action.WRITE_ROUTING, "putPool", "pool/" + command.id());
        }

        @Override
        public CommandScope putScenario(PutScenario command) {
            return scope(command.tenantId(), Action.WRITE_ROUTING, "putScenario", "scenario/" + command.name());
        }

        @Override
        public CommandScope putPrice(PutPrice command) {
            return scope(command.tenantId(), Action.WRITE_PRICES, "putPrice", "model/" + command.model());
        }

        @Override
        public CommandScope putFaultRule(PutFaultRule command) {
            return scope(command.tenantId(), Action.WRITE_ROUTING, "putFaultRule", "faultRule/" + command.id());
        }

        @Override
        public CommandScope endFaultRule(EndFaultRule command) {
            return scope(command.tenantId(), Action.WRITE_ROUTING, "endFaultRule", "faultRule/" + command.id());
        }

        @Override
        public CommandScope putSwitch(PutSwitch command) {
            return scope(command.tenantId(), Action.WRITE_ROUTING, "putSwitch", "switch/" + command.id());
        }

        @Override
        public CommandScope endSwitch(EndSwitch command) {
            return scope(command.tenantId(), Action.WRITE_ROUTING, "endSwitch", "switch/" + command.id());
        }

        @Override
        public CommandScope putDrill(PutDrill command) {
            return scope(command.tenantId(), Action.WRITE_ROUTING, "putDrill", "drill/" + command.id());
        }

        @Override
        public CommandScope startDrill(StartDrill command) {
            return scope(command.tenantId(), Action.WRITE_ROUTING, "startDrill", "drill/" + command.id());
        }

        @Override
        public CommandScope stopDrill(StopDrill command) {
            return scope(command.tenantId(), Action.WRITE_ROUTING, "stopDrill", "drill/" + command.id());
        }

        @Override
        public CommandScope setSpendCap(SetSpendCap command) {
            return scope(
                    command.tenantId(),
                    Action.WRITE_CAPS,
                    "setSpendCap",
                    "spendCap/" + command.scope() + "/" + command.subject() + "/" + command.period());
        }

        @Override
        public CommandScope removeSpendCap(RemoveSpendCap command) {
            return scope(command.tenantId(), Action.WRITE_CAPS, "removeSpendCap", "spendCap/" + command.id());
        }

        @Override
        public CommandScope putWebhook(PutWebhook command) {
            return scope(command.tenantId(), Action.WRITE_WEBHOOKS, "putWebhook", "webhook/" + command.id());
        }

        @Override
        public CommandScope removeWebhook(RemoveWebhook command) {
            return scope(command.tenantId(), Action.WRITE_WEBHOOKS, "removeWebhook", "webhook/" + command.id());
        }

        @Override
        public CommandScope setProviderBalance(SetProviderBalance command) {
            return scope(
                    command.tenantId(), Action.WRITE_BALANCES, "setProviderBalance", "provider/" + command.provider());
        }

        @Override
        public CommandScope applyDocument(ApplyDocument command) {
            List<Need> needs = new ArrayList<>();
            needs.add(new Need(Action.WRITE_ROUTING, List.of("document")));
            JsonNode document = command.document();
            if (document != null && document.has("tenant")) {
                needs.add(new Need(Action.WRITE_TENANT, List.of("document", "tenant")));
            }
            if (document != null && document.has("apps")) {
                needs.add(new Need(Action.WRITE_APPS, List.of("document", "apps")));
            }
            if (document != null && document.has("prices")) {
                needs.add(new Need(Action.WRITE_PRICES, List.of("document", "prices")));
            }
            if (document != null && document.has("spendCaps")) {
                needs.add(new Need(Action.WRITE_CAPS, List.of("document", "spendCaps")));
            }
            return new CommandScope(command.tenantId(), "tenantId", List.copyOf(needs), "applyConfig", "document");
        }
    }
}
