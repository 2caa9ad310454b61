package io.sluice.graphql;

import graphql.schema.DataFetchingEnvironment;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLTypeUtil;
import io.sluice.control.api.Action;
import io.sluice.control.api.CommandOutcome;
import io.sluice.control.api.ConfigChange;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.ApplyDocument;
import io.sluice.control.api.ConfigCommand.CreateAccessToken;
import io.sluice.control.api.ConfigCommand.CreateApiKey;
import io.sluice.control.api.ConfigCommand.CreateApp;
import io.sluice.control.api.ConfigCommand.CreateTenant;
import io.sluice.control.api.ConfigCommand.EndFaultRule;
import io.sluice.control.api.ConfigCommand.EndSwitch;
import io.sluice.control.api.ConfigCommand.Limits;
import io.sluice.control.api.ConfigCommand.PutDrill;
import io.sluice.control.api.ConfigCommand.PutFaultRule;
import io.sluice.control.api.ConfigCommand.PutModel;
import io.sluice.control.api.ConfigCommand.PutPool;
import io.sluice.control.api.ConfigCommand.PutPrice;
import io.sluice.control.api.ConfigCommand.PutProvider;
import io.sluice.control.api.ConfigCommand.PutScenario;
import io.sluice.control.api.ConfigCommand.PutSwitch;
import io.sluice.control.api.ConfigCommand.RemoveSpendCap;
import io.sluice.control.api.ConfigCommand.RevokeApiKey;
import io.sluice.control.api.ConfigCommand.SetSpendCap;
import io.sluice.control.api.ConfigCommand.StartDrill;
import io.sluice.control.api.ConfigCommand.StopDrill;
import io.sluice.control.api.ConfigCommand.UpdateTenant;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.LadderVerdict;
import io.sluice.control.api.VerifyQuery;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.config.UserErrorCode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The mutations: read the input into a command, have it applied, find the object for the payload. */
final class Writes {
    private final ControlPlaneApi api;

    Writes(ControlPlaneApi api) {
        this.api = api;
    }

    /**
     * What a mutation answers.
     *
     * @param object made, changed, or in conflict; null otherwise
     * @param secret the key or token just made
     * @param epoch after the command; null where there were errors
     */
    record Payload(Object object, String secret, Long epoch, List<ConfigChange> changes, List<UserError> userErrors) {}

    void register(Fields fields) {
        Fields.OfType<Object> mutation = fields.of("Mutation", Object.class, Rule.ANY_PRINCIPAL);
        add(mutation, "createTenant", Action.WRITE_TENANT, Writes::createTenant, WrittenObject::tenant);
        add(mutation, "updateTenant", Action.WRITE_TENANT, Writes::updateTenant, WrittenObject::tenant);
        add(mutation, "createApp", Action.WRITE_APPS, Writes::createApp, WrittenObject::app);
        add(mutation, "createApiKey", Action.WRITE_KEYS, Writes::createApiKey, WrittenObject::apiKey);
        add(mutation, "revokeApiKey", Action.REVOKE_KEYS, Writes::revokeApiKey, WrittenObject::apiKey);
        add(
                mutation,
                "createAccessToken",
                Action.WRITE_ACCESS_TOKENS,
                Writes::createAccessToken,
                WrittenObject::accessToken);
        add(mutation, "putProvider", Action.WRITE_ROUTING, Writes::putProvider, WrittenObject::provider);
        add(mutation, "putModel", Action.WRITE_ROUTING, Writes::putModel, WrittenObject::model);
        add(mutation, "putPool", Action.WRITE_ROUTING, Writes::putPool, WrittenObject::pool);
        add(mutation, "putScenario", Action.WRITE_ROUTING, Writes::putScenario, WrittenObject::scenario);
        add(mutation, "putPrice", Action.WRITE_PRICES, Writes::putPrice, WrittenObject::price);
        add(mutation, "putFaultRule", Action.WRITE_ROUTING, Writes::putFaultRule, WrittenObject::faultRule);
        add(mutation, "endFaultRule", Action.WRITE_ROUTING, Writes::endFaultRule, WrittenObject::faultRule);
        add(mutation, "putSwitch", Action.WRITE_ROUTING, Writes::putSwitch, WrittenObject::degradation);
        add(mutation, "endSwitch", Action.WRITE_ROUTING, Writes::endSwitch, WrittenObject::degradation);
        add(mutation, "putDrill", Action.WRITE_ROUTING, Writes::putDrill, WrittenObject::drill);
        add(mutation, "startDrill", Action.WRITE_ROUTING, Writes::startDrill, WrittenObject::drill);
        add(mutation, "stopDrill", Action.WRITE_ROUTING, Writes::stopDrill, WrittenObject::drill);
        add(mutation, "setSpendCap", Action.WRITE_CAPS, Writes::setSpendCap, WrittenObject::spendCap);
        add(mutation, "removeSpendCap", Action.WRITE_CAPS, Writes::removeSpendCap, WrittenObject::spendCap);
        add(mutation, "putWebhook", Action.WRITE_WEBHOOKS, WebhookTypes::put, WrittenObject::webhook);
        add(mutation, "removeWebhook", Action.WRITE_WEBHOOKS, WebhookTypes::remove, WrittenObject::webhook);
        add(mutation, "setProviderBalance", Action.WRITE_BALANCES, WebhookTypes::setBalance, WrittenObject::command);
        add(mutation, "applyConfig", Action.WRITE_ROUTING, Writes::applyConfig, written -> null);
        mutation.fetched("verifyLadder", new Rule(Action.WRITE_ROUTING), this::verifyLadder);
    }

    private Future<LadderVerdict> verifyLadder(DataFetchingEnvironment environment) {
        Map<String, Object> input = InputObject.object(environment.getArgument("input"));
        Caller caller = environment.getGraphQlContext().get(Caller.class);
        return api.verifyLadder(
                caller.principal(),
                new VerifyQuery(
                        (String) input.get("tenantId"), (String) input.get("scenario"), (String) input.get("prompt")));
    }

    private void add(
            Fields.OfType<Object> mutation,
            String name,
            Action action,
            Function<InputObject, ConfigCommand> read,
            Function<WrittenObject, Object> find) {
        mutation.fetched(name, new Rule(action), environment -> apply(environment, read, find));
    }

    private Future<Payload> apply(
            DataFetchingEnvironment environment,
            Function<InputObject, ConfigCommand> read,
            Function<WrittenObject, Object> find) {
        GraphQLInputObjectType type = (GraphQLInputObjectType) GraphQLTypeUtil.unwrapAll(
                environment.getFieldDefinition().getArgument("input").getType());
        InputObject input = InputObject.of(InputObject.object(environment.getArgument("input")), type);
        ConfigCommand command = read.apply(input);
        Caller caller = environment.getGraphQlContext().get(Caller.class);
        return api.execute(caller.principal(), command).map(outcome -> payload(outcome, command, find));
    }

    private static Payload payload(
            CommandOutcome outcome, ConfigCommand command, Function<WrittenObject, Object> find) {
        boolean applied = outcome.errors().isEmpty();
        boolean conflict = outcome.errors().stream().anyMatch(error -> error.code() == UserErrorCode.CONFLICT_VERSION);
        Object object = applied || conflict
                ? find.apply(new WrittenObject(outcome.configuration(), command, outcome.objectId()))
                : null;
        Long epoch = applied ? outcome.configuration().epoch() : null;
        return new Payload(object, outcome.secret(), epoch, outcome.changes(), outcome.errors());
    }

    private static ConfigCommand putSwitch(InputObject input) {
        return new PutSwitch(
                input.text("tenantId"),
                input.text("id"),
                input.integer("version"),
                input.text("scenario"),
                input.text("fromStep"),
                input.text("owner"),
                input.text("reason"),
                input.text("expiresAt"),
                input.text("reviewOn"));
    }

    private static ConfigCommand endSwitch(InputObject input) {
        return new EndSwitch(input.text("tenantId"), input.text("id"));
    }

    private static ConfigCommand putDrill(InputObject input) {
        InputObject once = input.input("once");
        InputObject monthly = input.input("monthly");
        return new PutDrill(
                input.text("tenantId"),
                input.text("id"),
                input.integer("version"),
                input.text("scenario"),
                input.text("fromStep"),
                input.decimal("share"),
                once == null ? null : new PutDrill.Once(once.text("from"), once.text("until")),
                monthly == null
                        ? null
                        : new PutDrill.Monthly(monthly.integer("day"), monthly.text("at"), monthly.text("duration")),
                input.text("owner"),
                input.text("reason"),
                input.flag("enabled"));
    }

    private static ConfigCommand startDrill(InputObject input) {
        return new StartDrill(input.text("tenantId"), input.text("id"), input.decimal("share"), input.text("duration"));
    }

    private static ConfigCommand stopDrill(InputObject input) {
        return new StopDrill(input.text("tenantId"), input.text("id"));
    }

    private static ConfigCommand createTenant(InputObject input) {
        return new CreateTenant(
                input.text("id"), input.text("displayName"), input.text("timeZone"), input.text("currency"));
    }

    private static ConfigCommand updateTenant(InputObject input) {
        return new UpdateTenant(
                input.text("id"),
                input.integer("version"),
                input.text("displayName"),
                input.text("timeZone"),
                input.flag("suspended"),
                limits(input, "limits"),
                limits(input, "endUserLimits"),
                input.nulls("displayName", "timeZone", "suspended"));
    }

    /** Null takes the limits away where they would stay. */
    private static Limits limits(InputObject input, String member) {
        InputObject limits = input.input(member);
        if (limits == null) {
            return input.nulls(member).isEmpty() ? null : new Limits(null, null, null);
        }
        return new Limits(
                limits.integer("requestsPerMinute"),
                limits.integer("tokensPerMinute"),
                limits.integer("maxConcurrency"));
    }

    private static ConfigCommand createApp(InputObject input) {
        return new CreateApp(
                input.text("tenantId"),
                input.text("id"),
                input.text("displayName"),
                limits(input, "limits"),
                limits(input, "endUserLimits"));
    }

    private static ConfigCommand createApiKey(InputObject input) {
        return new CreateApiKey(
                input.text("tenantId"),
                input.text("appId"),
                input.texts("scenarios"),
                input.text("defaultScenario"),
                input.texts("models"),
                input.text("expiresAt"),
                input.integer("requestsPerMinute"),
                input.integer("tokensPerMinute"),
                input.integer("maxConcurrency"));
    }

    private static ConfigCommand revokeApiKey(InputObject input) {
        return new RevokeApiKey(input.text("tenantId"), input.text("id"));
    }

    private static ConfigCommand createAccessToken(InputObject input) {
        return new CreateAccessToken(
                input.text("role"), input.text("tenantId"), input.text("name"), input.text("expiresAt"));
    }

    private static ConfigCommand putProvider(InputObject input) {
        return new PutProvider(
                input.text("tenantId"),
                input.text("id"),
                input.integer("version"),
                input.text("plugin"),
                input.text("baseUrl"),
                input.text("credential"),
                input.text("quotaGroup"),
                input.text("region"),
                input.integer("requestsPerMinute"),
                input.integer("tokensPerMinute"),
                input.integer("maxConcurrency"),
                input.json("settings"));
    }

    private static ConfigCommand putModel(InputObject input) {
        return new PutModel(
                input.text("tenantId"),
                input.text("id"),
                input.integer("version"),
                input.integer("contextWindow"),
                input.integer("maxOutputTokens"),
                input.flag("tools"),
                input.flag("vision"),
                input.flag("jsonSchema"));
    }

    private static ConfigCommand putPool(InputObject input) {
        List<PutPool.Target> targets = input.inputs("targets").stream()
                .map(target -> new PutPool.Target(
                        target.text("provider"),
                        target.text("model"),
                        target.text("upstreamName"),
                        target.integer("weight")))
                .toList();
        return new PutPool(
                input.text("tenantId"), input.text("id"), input.integer("version"), input.text("tier"), targets);
    }

    private static ConfigCommand putScenario(InputObject input) {
        return new PutScenario(
                input.text("tenantId"),
                input.text("name"),
                input.integer("version"),
                input.text("sensitivity"),
                input.text("kind"),
                input.flag("core"),
                input.text("deadline"),
                input.text("firstTokenTimeout"),
                input.inputs("ladder").stream().map(Writes::rung).toList(),
                input.json("outputSchema"),
                input.json("settings"),
                limits(input, "limits"));
    }

    private static PutScenario.Rung rung(InputObject rung) {
        return new PutScenario.Rung(
                rung.text("name"),
                rung.text("pool"),
                rung.json("cache"),
                rung.json("rules"),
                rung.text("text"),
                rung.decimal("maxTokensFactor"),
                rung.integer("fewShotMax"),
                rung.text("promptVariant"),
                rung.text("timeout"),
                rung.text("minRemaining"));
    }

    private static ConfigCommand putPrice(InputObject input) {
        return new PutPrice(
                input.text("tenantId"),
                input.text("model"),
                input.text("validFrom"),
                input.text("inputPerMTok"),
                input.text("outputPerMTok"),
                input.text("cachedInputPerMTok"),
                input.text("cacheWritePerMTok"),
                input.text("reasoningPerMTok"),
                input.text("perImage"),
                input.text("perServerToolCall"),
                input.inputs("tiers").stream().map(Writes::tier).toList(),
                input.inputs("hours").stream().map(Writes::hours).toList(),
                input.inputs("serviceTiers").stream().map(Writes::factor).toList(),
                input.inputs("regions").stream().map(Writes::factor).toList());
    }

    private static PutPrice.Tier tier(InputObject tier) {
        return new PutPrice.Tier(
                tier.integer("abovePromptTokens"),
                tier.text("inputPerMTok"),
                tier.text("outputPerMTok"),
                tier.text("cachedInputPerMTok"),
                tier.text("cacheWritePerMTok"),
                tier.text("reasoningPerMTok"));
    }

    private static PutPrice.Factor factor(InputObject factor) {
        return new PutPrice.Factor(factor.text("name"), factor.integer("percent"));
    }

    private static PutPrice.Hours hours(InputObject hours) {
        return new PutPrice.Hours(
                hours.texts("days"), hours.text("from"), hours.text("until"), hours.integer("percent"));
    }

    private static ConfigCommand putFaultRule(InputObject input) {
        return new PutFaultRule(
                input.text("tenantId"),
                input.text("id"),
                input.integer("version"),
                input.text("scenario"),
                input.text("pool"),
                input.text("provider"),
                input.text("model"),
                input.text("fault"),
                input.text("retryAfter"),
                input.text("delay"),
                input.integer("afterEvents"),
                input.decimal("share"),
                input.text("startsAt"),
                input.text("endsAt"),
                input.text("owner"),
                input.text("reason"));
    }

    private static ConfigCommand endFaultRule(InputObject input) {
        return new EndFaultRule(input.text("tenantId"), input.text("id"));
    }

    private static ConfigCommand setSpendCap(InputObject input) {
        return new SetSpendCap(
                input.text("tenantId"),
                input.text("scope"),
                input.text("subject"),
                input.text("period"),
                input.text("limit"),
                input.decimal("conserveAt"),
                input.decimal("restrictAt"),
                input.text("atExhaustion"),
                input.integer("version"));
    }

    private static ConfigCommand removeSpendCap(InputObject input) {
        return new RemoveSpendCap(input.text("tenantId"), input.text("id"), input.integer("version"));
    }

    private static ConfigCommand applyConfig(InputObject input) {
        Integer expectedEpoch = input.integer("expectedEpoch");
        return new ApplyDocument(
                input.text("tenantId"),
                input.json("document"),
                input.flag("dryRun"),
                expectedEpoch == null ? null : expectedEpoch.longValue());
    }
}
