package io.sluice.control.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A wish to change the configuration, as a person typed it: texts are not yet parsed and ids not yet checked, so that every
 * mistake can be reported at once with its path in the input. A null member was left out; those that have a default in the
 * schema ({@code weight}, {@code core}, {@code currency}, {@code dryRun}) are filled in by the caller, so that a null there was
 * written and is refused. Points in time are texts as {@link DateTimeText} reads them.
 */
public sealed interface ConfigCommand {
    /**
     * A rule as typed; see {@link io.sluice.tenants.config.LimitsConfig}. One without members takes the limits away where they
     * would stay as they are if it were left out.
     */
    record Limits(Integer requestsPerMinute, Integer tokensPerMinute, Integer maxConcurrency) {}

    record CreateTenant(String id, String displayName, String timeZone, String currency) implements ConfigCommand {}

    /**
     * What is left out stays as it is.
     *
     * @param emptied members that were given as an explicit null: a mistake, since a tenant needs them
     */
    record UpdateTenant(
            String id,
            Integer version,
            String displayName,
            String timeZone,
            Boolean suspended,
            Limits limits,
            Limits endUserLimits,
            List<String> emptied)
            implements ConfigCommand {
        /** Nothing was given as null. */
        public UpdateTenant(String id, Integer version, String displayName, String timeZone, Boolean suspended) {
            this(id, version, displayName, timeZone, suspended, null, null, List.of());
        }
    }

    record CreateApp(String tenantId, String id, String displayName, Limits limits, Limits endUserLimits)
            implements ConfigCommand {
        /** An app without limits. */
        public CreateApp(String tenantId, String id, String displayName) {
            this(tenantId, id, displayName, null, null);
        }
    }

    record CreateApiKey(
            String tenantId,
            String appId,
            List<String> scenarios,
            String defaultScenario,
            List<String> models,
            String expiresAt,
            Integer requestsPerMinute,
            Integer tokensPerMinute,
            Integer maxConcurrency)
            implements ConfigCommand {}

    record RevokeApiKey(String tenantId, String id) implements ConfigCommand {}

    record CreateAccessToken(String role, String tenantId, String name, String expiresAt) implements ConfigCommand {}

    record PutProvider(
            String tenantId,
            String id,
            Integer version,
            String plugin,
            String baseUrl,
            String credential,
            String quotaGroup,
            String region,
            Integer requestsPerMinute,
            Integer tokensPerMinute,
            Integer maxConcurrency,
            JsonNode settings)
            implements ConfigCommand {
        @Override
        public String toString() {
            return "PutProvider[" + tenantId + "|" + id + "]";
        }
    }

    record PutModel(
            String tenantId,
            String id,
            Integer version,
            Integer contextWindow,
            Integer maxOutputTokens,
            Boolean tools,
            Boolean vision,
            Boolean jsonSchema)
            implements ConfigCommand {}

    record PutPool(String tenantId, String id, Integer version, String tier, List<Target> targets)
            implements ConfigCommand {
        /** One target of a pool as typed. */
        public record Target(String provider, String model, String upstreamName, Integer weight) {}
    }

    record PutScenario(
            String tenantId,
            String name,
            Integer version,
            String sensitivity,
            String kind,
            Boolean core,
            String deadline,
            String firstTokenTimeout,
            List<Rung> ladder,
            JsonNode outputSchema,
            JsonNode settings,
            Limits limits)
            implements ConfigCommand {
        /** A scenario without limits. */
        public PutScenario(
                String tenantId,
                String name,
                Integer version,
                String sensitivity,
                String kind,
                Boolean core,
                String deadline,
                String firstTokenTimeout,
                List<Rung> ladder,
                JsonNode outputSchema,
                JsonNode settings) {
            this(
                    tenantId,
                    name,
                    version,
                    sensitivity,
                    kind,
                    core,
                    deadline,
                    firstTokenTimeout,
                    ladder,
                    outputSchema,
                    settings,
                    null);
        }

        /** One rung of a ladder as typed. */
        public record Rung(
                String name,
                String pool,
                JsonNode cache,
                JsonNode rules,
                String text,
                Double maxTokensFactor,
                Integer fewShotMax,
                String promptVariant,
                String timeout,
                String minRemaining) {}
    }

    record PutPrice(
            String tenantId,
            String model,
            String validFrom,
            String inputPerMTok,
            String outputPerMTok,
            String cachedInputPerMTok,
            String cacheWritePerMTok,
            String reasoningPerMTok,
            String perImage,
            String perServerToolCall,
            List<Tier> tiers,
            List<Hours> hours,
            List<Factor> serviceTiers,
            List<Factor> regions)
            implements ConfigCommand {
        public PutPrice {
            tiers = tiers == null ? List.of() : tiers;
            hours = hours == null ? List.of() : hours;
            serviceTiers = serviceTiers == null ? List.of() : serviceTiers;
            regions = regions == null ? List.of() : regions;
        }

        /** The same in all service tiers and regions, without fees for tools. */
        public PutPrice(
                String tenantId,
                String model,
                String validFrom,
                String inputPerMTok,
                String outputPerMTok,
                String cachedInputPerMTok,
                String cacheWritePerMTok,
                String reasoningPerMTok,
                String perImage,
                List<Tier> tiers,
                List<Hours> hours) {
            this(
                    tenantId,
                    model,
                    validFrom,
                    inputPerMTok,
                    outputPerMTok,
                    cachedInputPerMTok,
                    cacheWritePerMTok,
                    reasoningPerMTok,
                    perImage,
                    null,
                    tiers,
                    hours,
                    null,
                    null);
        }

        /** The same at all lengths and hours. */
        public PutPrice(
                String tenantId,
                String model,
                String validFrom,
                String inputPerMTok,
                String outputPerMTok,
                String cachedInputPerMTok,
                String cacheWritePerMTok) {
            this(
                    tenantId,
                    model,
                    validFrom,
                    inputPerMTok,
                    outputPerMTok,
                    cachedInputPerMTok,
                    cacheWritePerMTok,
                    null,
                    null,
                    null,
                    null);
        }

        /** What the price is multiplied by in one service tier or region, as typed. */
        public record Factor(String name, Integer percent) {}

        /** The prices of long prompts as typed. */
        public record Tier(
                Integer abovePromptTokens,
                String inputPerMTok,
                String outputPerMTok,
                String cachedInputPerMTok,
                String cacheWritePerMTok,
                String reasoningPerMTok) {}

        /** A factor at some hours as typed: {@code from} and {@code until} are HH:MM, UTC. */
        public record Hours(List<String> days, String from, String until, Integer percent) {}
    }

    /** What {@code endsAt} leaves open is refused: a fault that nobody ends would outlive its drill. */
    record PutFaultRule(
            String tenantId,
            String id,
            Integer version,
            String scenario,
            String pool,
            String provider,
            String model,
            String fault,
            String retryAfter,
            String delay,
            Integer afterEvents,
            Double share,
            String startsAt,
            String endsAt,
            String owner,
            String reason)
            implements ConfigCommand {}

    record EndFaultRule(String tenantId, String id) implements ConfigCommand {}

    /** Days and times are texts; what is wrong with them is told with the rest. */
    record PutSwitch(
            String tenantId,
            String id,
            Integer version,
            String scenario,
            String fromStep,
            String owner,
            String reason,
            String expiresAt,
            String reviewOn)
            implements ConfigCommand {}

    /** Ends a switch before it expires. */
    record EndSwitch(String tenantId, String id) implements ConfigCommand {}

    /**
     * Without {@code once} and {@code monthly} it runs on {@link io.sluice.tenants.config.DrillSchedule#DEFAULT}.
     *
     * @param enabled whether its schedule counts
     */
    record PutDrill(
            String tenantId,
            String id,
            Integer version,
            String scenario,
            String fromStep,
            Double share,
            Once once,
            Monthly monthly,
            String owner,
            String reason,
            Boolean enabled)
            implements ConfigCommand {
        /** One window as typed. */
        public record Once(String from, String until) {}

        /** A window in every month as typed. */
        public record Monthly(Integer day, String at, String duration) {}
    }

    /**
     * Runs a drill now.
     *
     * @param share null means the drill's own
     */
    record StartDrill(String tenantId, String id, Double share, String duration) implements ConfigCommand {}

    /** Ends whatever run of a drill is under way. */
    record StopDrill(String tenantId, String id) implements ConfigCommand {}

    /**
     * Sets the cap of a scope and period, new or changed.
     *
     * @param limit decimal text in the tenant's currency
     */
    record SetSpendCap(
            String tenantId,
            String scope,
            String subject,
            String period,
            String limit,
            Double conserveAt,
            Double restrictAt,
            String atExhaustion,
            Integer version)
            implements ConfigCommand {}

    /** Lets a scope spend without that bound. */
    record RemoveSpendCap(String tenantId, String id, Integer version) implements ConfigCommand {}

    /**
     * Says where events about a tenant's money are posted, new or changed.
     *
     * @param secret signs events; null means that one is made, or that the present one stays
     */
    record PutWebhook(
            String tenantId,
            String id,
            Integer version,
            String url,
            String secret,
            List<Double> thresholds,
            Boolean enabled)
            implements ConfigCommand {
        @Override
        public String toString() {
            return "PutWebhook[" + tenantId + ", " + id + "]";
        }
    }

    /** Posts nothing there any more. */
    record RemoveWebhook(String tenantId, String id, Integer version) implements ConfigCommand {}

    /**
     * Says what a prepaid account held at some instant; its balance is watched from then on.
     *
     * @param tenantId null means that the account is the platform's
     * @param at null means now
     */
    record SetProviderBalance(String tenantId, String provider, String amount, String at) implements ConfigCommand {}

    /**
     * Many objects at once: members {@code providers}, {@code models}, {@code prices}, {@code pools}, {@code apps},
     * {@code scenarios}, {@code drills} and {@code spendCaps} are lists of the inputs of the single commands without {@code tenantId}; {@code tenant} holds what
     * {@link UpdateTenant} may change.
     *
     * @param dryRun validate and report, change nothing
     * @param expectedEpoch refuse with CONFLICT_VERSION unless this is the present epoch; null means any
     */
    record ApplyDocument(String tenantId, JsonNode document, Boolean dryRun, Long expectedEpoch)
            implements ConfigCommand {}

    /** One answer for each command: whoever must treat all of them implements this, and the compiler counts. */
    interface Cases<R> {
        R createTenant(CreateTenant command);

        R updateTenant(UpdateTenant command);

        R createApp(CreateApp command);

        R createApiKey(CreateApiKey command);

        R revokeApiKey(RevokeApiKey command);

        R createAccessToken(CreateAccessToken command);

        R putProvider(PutProvider command);

        R putModel(PutModel command);

        R putPool(PutPool command);

        R putScenario(PutScenario command);

        R putPrice(PutPrice command);

        R putFaultRule(PutFaultRule command);

        R endFaultRule(EndFaultRule command);

        R putSwitch(PutSwitch command);

        R endSwitch(EndSwitch command);

        R putDrill(PutDrill command);

        R startDrill(StartDrill command);

        R stopDrill(StopDrill command);

        R setSpendCap(SetSpendCap command);

        R removeSpendCap(RemoveSpendCap command);

        R putWebhook(PutWebhook command);

        R removeWebhook(RemoveWebhook command);

        R setProviderBalance(SetProviderBalance command);

        R applyDocument(ApplyDocument command);
    }

    /** The answer of {@code cases} for this command. */
    default <R> R fold(Cases<R> cases) {
        if (this instanceof CreateTenant command) {
            return cases.createTenant(command);
        }
        if (this instanceof UpdateTenant command) {
            return cases.updateTenant(command);
        }
        if (this instanceof CreateApp command) {
            return cases.createApp(command);
        }
        if (this instanceof CreateApiKey command) {
            return cases.createApiKey(command);
        }
        if (this instanceof RevokeApiKey command) {
            return cases.revokeApiKey(command);
        }
        if (this instanceof CreateAccessToken command) {
            return cases.createAccessToken(command);
        }
        if (this instanceof PutProvider command) {
            return cases.putProvider(command);
        }
        if (this instanceof PutModel command) {
            return cases.putModel(command);
        }
        if (this instanceof PutPool command) {
            return cases.putPool(command);
        }
        if (this instanceof PutScenario command) {
            return cases.putScenario(command);
        }
        if (this instanceof PutPrice command) {
            return cases.putPrice(command);
        }
        if (this instanceof PutFaultRule command) {
            return cases.putFaultRule(command);
        }
        if (this instanceof EndFaultRule command) {
            return cases.endFaultRule(command);
        }
        if (this instanceof PutSwitch command) {
            return cases.putSwitch(command);
        }
        if (this instanceof EndSwitch command) {
            return cases.endSwitch(command);
        }
        if (this instanceof PutDrill command) {
            return cases.putDrill(command);
        }
        if (this instanceof StartDrill command) {
            return cases.startDrill(command);
        }
        if (this instanceof StopDrill command) {
            return cases.stopDrill(command);
        }
        if (this instanceof SetSpendCap command) {
            return cases.setSpendCap(command);
        }
        if (this instanceof RemoveSpendCap command) {
            return cases.removeSpendCap(command);
        }
        if (this instanceof PutWebhook command) {
            return cases.putWebhook(command);
        }
        if (this instanceof RemoveWebhook command) {
            return cases.removeWebhook(command);
        }
        if (this instanceof SetProviderBalance command) {
            return cases.setProviderBalance(command);
        }
        return cases.applyDocument((ApplyDocument) this);
    }
}
