package io.sluice.control.config;

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
import io.sluice.control.config.ConfigDecision.Accepted;
import io.sluice.control.config.ConfigDecision.Refused;
import io.sluice.control.config.DecisionContext.Minted;
import io.sluice.tenants.Ids;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.UserErrorCode;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * Says what the configuration is after a command, or every mistake in it. The same inputs always give the same answer; who
 * may write is another question ({@link AccessDecider}). Cost: the objects named, and one copy of the map of tenants.
 */
public final class ConfigDecider {
    private ConfigDecider() {}

    /** The decision on {@code command}, made against {@code now}. */
    public static ConfigDecision decide(Configuration now, ConfigCommand command, DecisionContext context) {
        return command.fold(new Decisions(now, context));
    }

    private record Decisions(Configuration now, DecisionContext context)
            implements ConfigCommand.Cases<ConfigDecision> {
        @Override
        public ConfigDecision createTenant(CreateTenant command) {
            TenantId id = Ids.valid(command.id()) ? new TenantId(command.id()) : null;
            Draft draft = new Draft(now, id);
            Problems problems = new Problems();
            TenantChecks.create(draft, command, problems);
            return decision(draft, problems, command.id(), null);
        }

        @Override
        public ConfigDecision updateTenant(UpdateTenant command) {
            return ofTenant(command.id(), "id", command.id(), (draft, problems) -> {
                TenantChecks.update(draft, command, context.now(), problems);
                return null;
            });
        }

        @Override
        public ConfigDecision createApp(CreateApp command) {
            return ofTenant(command.tenantId(), "tenantId", command.id(), (draft, problems) -> {
                TenantChecks.app(draft, command, problems);
                return null;
            });
        }

        @Override
        public ConfigDecision createApiKey(CreateApiKey command) {
            return ofTenant(
                    command.tenantId(),
                    "tenantId",
                    null,
                    (draft, problems) -> KeyChecks.create(draft, command, context, problems));
        }

        @Override
        public ConfigDecision revokeApiKey(RevokeApiKey command) {
            return ofTenant(command.tenantId(), "tenantId", command.id(), (draft, problems) -> {
                KeyChecks.revoke(draft, command, context, problems);
                return null;
            });
        }

        @Override
        public ConfigDecision createAccessToken(CreateAccessToken command) {
            return ofOwner(
                    command.tenantId(), null, (draft, problems) -> KeyChecks.token(draft, command, context, problems));
        }

        @Override
        public ConfigDecision putProvider(PutProvider command) {
            return put(
                    command.tenantId(),
                    command.id(),
                    (draft, problems) -> ProviderChecks.put(draft, command, context, problems));
        }

        @Override
        public ConfigDecision putModel(PutModel command) {
            return put(
                    command.tenantId(),
                    command.id(),
                    (draft, problems) -> ProviderChecks.put(draft, command, problems));
        }

        @Override
        public ConfigDecision putPool(PutPool command) {
            return put(
                    command.tenantId(),
                    command.id(),
                    (draft, problems) -> PoolChecks.put(draft, command, context.now(), problems));
        }

        @Override
        public ConfigDecision putScenario(PutScenario command) {
            return ofTenant(command.tenantId(), "tenantId", command.name(), (draft, problems) -> {
                ScenarioChecks.put(draft, command, problems);
                StartChecks.keepsRungs(draft, context.now(), "ladder", "kind", problems);
                return null;
            });
        }

        @Override
        public ConfigDecision putSwitch(PutSwitch command) {
            return inTenant(
                    command.tenantId(),
                    command.id(),
                    (draft, problems) -> SwitchChecks.put(draft, command, context.now(), problems));
        }

        @Override
        public ConfigDecision endSwitch(EndSwitch command) {
            return inTenant(
                    command.tenantId(),
                    command.id(),
                    (draft, problems) -> SwitchChecks.end(draft, command, context.now(), problems));
        }

        @Override
        public ConfigDecision putDrill(PutDrill command) {
            return inTenant(
                    command.tenantId(),
                    command.id(),
                    (draft, problems) -> DrillChecks.put(draft, command, context.now(), problems));
        }

        @Override
        public ConfigDecision startDrill(StartDrill command) {
            return inTenant(
                    command.tenantId(),
                    command.id(),
                    (draft, problems) -> DrillChecks.start(draft, command, context.now(), problems));
        }

        @Override
        public ConfigDecision stopDrill(StopDrill command) {
            return inTenant(
                    command.tenantId(),
                    command.id(),
                    (draft, problems) -> DrillChecks.stop(draft, command, context.now(), problems));
        }

        @Override
        public ConfigDecision putPrice(PutPrice command) {
            return put(
                    command.tenantId(),
                    command.model(),
                    (draft, problems) -> PriceChecks.put(draft, command, context.now(), problems));
        }

        @Override
        public ConfigDecision putFaultRule(PutFaultRule command) {
            return ofTenant(command.tenantId(), "tenantId", command.id(), (draft, problems) -> {
                FaultRuleChecks.put(draft, command, context, problems);
                return null;
            });
        }

        @Override
        public ConfigDecision endFaultRule(EndFaultRule command) {
            return ofTenant(command.tenantId(), "tenantId", command.id(), (draft, problems) -> {
                FaultRuleChecks.end(draft, command, context, problems);
                return null;
            });
        }

        @Override
        public ConfigDecision setSpendCap(SetSpendCap command) {
            return inTenant(
                    command.tenantId(), null, (draft, problems) -> CapChecks.set(draft, command, context, problems));
        }

        @Override
        public ConfigDecision removeSpendCap(RemoveSpendCap command) {
            return inTenant(
                    command.tenantId(),
                    command.id(),
                    (draft, problems) -> CapChecks.remove(draft, command, context, problems));
        }

        @Override
        public ConfigDecision putWebhook(PutWebhook command) {
            return ofTenant(
                    command.tenantId(),
                    "tenantId",
                    command.id(),
                    (draft, problems) -> WebhookChecks.put(draft, command, context, problems));
        }

        @Override
        public ConfigDecision removeWebhook(RemoveWebhook command) {
            return inTenant(
                    command.tenantId(),
                    command.id(),
                    (draft, problems) -> WebhookChecks.remove(draft, command, context, problems));
        }

        @Override
        public ConfigDecision setProviderBalance(SetProviderBalance command) {
            return put(
                    command.tenantId(),
                    command.provider(),
                    (draft, problems) -> BalanceChecks.set(draft, command, context, problems));
        }

        @Override
        public ConfigDecision applyDocument(ApplyDocument command) {
            return ofOwner(command.tenantId(), null, (draft, problems) -> {
                DocumentChecks.apply(draft.forDocument(), command, context, problems);
                return null;
            });
        }

        private ConfigDecision put(String tenant, String id, BiConsumer<Draft, Problems> check) {
            return ofOwner(tenant, id, (draft, problems) -> {
                check.accept(draft, problems);
                return null;
            });
        }

        private ConfigDecision inTenant(String tenant, String id, BiConsumer<Draft, Problems> check) {
            return ofTenant(tenant, "tenantId", id, (draft, problems) -> {
                check.accept(draft, problems);
                return null;
            });
        }

        /** Where no tenant is named the objects are the platform's. */
        private ConfigDecision ofOwner(String tenant, String id, BiFunction<Draft, Problems, Minted> check) {
            return tenant == null
                    ? checked(new Draft(now, null), new Problems(), id, check)
                    : ofTenant(tenant, "tenantId", id, check);
        }

        private ConfigDecision ofTenant(
                String tenant, String member, String id, BiFunction<Draft, Problems, Minted> check) {
            Problems problems = new Problems();
            if (!problems.present(tenant, member)) {
                return new Refused(problems.all());
            }
            TenantId owner = Ids.valid(tenant) ? new TenantId(tenant) : null;
            if (owner == null || !now.tenants().containsKey(owner)) {
                problems.add(UserErrorCode.NOT_FOUND, "there is no such tenant", member);
                return new Refused(problems.all());
            }
            return checked(new Draft(now, owner), problems, id, check);
        }

        private ConfigDecision checked(
                Draft draft, Problems problems, String id, BiFunction<Draft, Problems, Minted> check) {
            Minted minted = check.apply(draft, problems);
            return decision(draft, problems, minted == null ? id : minted.id(), minted);
        }

        private ConfigDecision decision(Draft draft, Problems problems, String id, Minted minted) {
            if (problems.count() > 0) {
                return new Refused(problems.all());
            }
            Accepted accepted = new Accepted(draft.after(), draft.changes(), id, minted == null ? null : minted.text());
            return accepted.changesSomething() ? accepted : new Accepted(now, draft.changes(), id, null);
        }
    }
}
