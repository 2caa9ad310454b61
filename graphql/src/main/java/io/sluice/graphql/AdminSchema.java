package io.sluice.graphql;

import graphql.schema.GraphQLSchema;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import io.sluice.control.api.Action;
import io.sluice.control.api.AuditEntry;
import io.sluice.control.api.ClusterMember;
import io.sluice.control.api.ConfigChange;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.EpochEvent;
import io.sluice.control.api.LadderVerdict;
import io.sluice.control.api.PlannedRoute;
import io.sluice.control.api.Principal;
import io.sluice.graphql.HealthView.PoolView;
import io.sluice.graphql.HealthView.TargetView;
import io.sluice.graphql.Writes.Payload;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.AccessTokenConfig;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.FaultRuleConfig;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.message.RungCheck;
import io.sluice.tenants.money.PriceFactor;
import io.sluice.tenants.money.PriceHours;
import io.sluice.tenants.money.PriceTier;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The schema of {@code admin.graphqls} with a source and a rule for each field. Built once; immutable. */
final class AdminSchema {
    private static final Rule TENANT = new Rule(Action.READ_TENANT);
    private static final Rule ROUTING = new Rule(Action.READ_ROUTING);

    private static final Rule KEYS = new Rule(Action.READ_KEYS);

    private AdminSchema() {}

    static GraphQLSchema build(ControlPlaneApi api, Clock clock) {
        Fields fields = new Fields();
        new Reads(api, clock).register(fields);
        new Writes(api).register(fields);
        new Events(api).register(fields);
        tenantTypes(fields, api);
        routingTypes(fields, api);
        faultTypes(fields, clock);
        operationTypes(fields);
        payloadTypes(fields);
        LimitTypes.register(fields);
        SwitchTypes.register(fields, clock);
        ShiftTypes.register(fields, api, clock);
        DrillTypes.register(fields, api, clock);
        CapTypes.register(fields, api);
        SpendTypes.register(fields, api);
        WebhookTypes.register(fields, api);
        connectionTypes(fields);
        // Strict wiring would refuse our ID, which stands in for graphql-java's.
        RuntimeWiring.Builder wiring =
                RuntimeWiring.newRuntimeWiring().strictMode(false).codeRegistry(fields.registry());
        TextScalars.all().forEach(wiring::scalar);
        GraphQLSchema schema;
        try (InputStream text = AdminSchema.class.getResourceAsStream("admin.graphqls");
                Reader reader = new InputStreamReader(text, StandardCharsets.UTF_8)) {
            schema = new SchemaGenerator().makeExecutableSchema(new SchemaParser().parse(reader), wiring.build());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        fields.requireAllOf(schema);
        return schema;
    }

    private static void tenantTypes(Fields fields, ControlPlaneApi api) {
        fields.of("Tenant", TenantTree.class, TENANT)
                .field("id", tree -> text(tree.tenant().id()))
                .field("version", tree -> tree.tenant().version())
                .field("displayName", tree -> tree.tenant().displayName())
                .field("timeZone", tree -> tree.tenant().timeZone())
                .field("currency", tree -> tree.tenant().currency())
                .field("suspended", tree -> tree.tenant().suspended())
                .field("apps", tree -> sorted(tree.apps(), AppConfig::id))
                .field("apiKeys", KEYS, tree -> sorted(tree.keys(), ApiKeyConfig::id))
                .field("providers", ROUTING, tree -> providers(tree.catalog()))
                .field("models", ROUTING, tree -> models(tree.catalog()))
                .field("pools", ROUTING, tree -> pools(tree.catalog()))
                .field("scenarios", ROUTING, ScenarioView::all)
                .field("faultRules", ROUTING, tree -> sorted(tree.faultRules(), FaultRuleConfig::id))
                .field("prices", tree -> PricedModel.of(tree.catalog()));
        fields.of("Platform", Catalog.class, TENANT)
                .field("providers", ROUTING, AdminSchema::providers)
                .field("models", ROUTING, AdminSchema::models)
                .field("pools", ROUTING, AdminSchema::pools)
                .field("prices", PricedModel::of);
        fields.of("App", AppConfig.class, TENANT)
                .field("id", AppConfig::id)
                .field("displayName", AppConfig::displayName);
        fields.of("ApiKey", ApiKeyConfig.class, KEYS)
                .field("id", ApiKeyConfig::id)
                .field("appId", ApiKeyConfig::appId)
                .field("prefix", ApiKeyConfig::prefix)
                .field("scenarios", ApiKeyConfig::scenarios)
                .field("defaultScenario", ApiKeyConfig::defaultScenario)
                .field("models", ApiKeyConfig::models)
                .field("createdAt", ApiKeyConfig::createdAt)
                .field("expiresAt", ApiKeyConfig::expiresAt)
                .field("revokedAt", ApiKeyConfig::revokedAt)
                .field("lastUsedOn", ApiKeyConfig::lastUsedOn);
        fields.of("AccessToken", AccessTokenConfig.class, new Rule(Action.WRITE_ACCESS_TOKENS))
                .field("id", AccessTokenConfig::id)
                .field("role", AccessTokenConfig::role)
                .field("tenantId", token -> text(token.tenantId()))
                .field("name", AccessTokenConfig::name)
                .field("expiresAt", AccessTokenConfig::expiresAt);
        fields.of("Principal", Principal.class, Rule.ANY_PRINCIPAL)
                .field("role", Principal::role)
                .field("tenantId", principal -> text(principal.tenantId()))
                .field("name", Principal::name);
        fields.of("Pool", PoolConfig.class, ROUTING)
                .field("id", pool -> pool.id().id())
                .field("version", PoolConfig::version)
                .field("tier", PoolConfig::tier)
                .joined(
                        "targets",
                        ROUTING,
                        (pool, environment) -> HealthView.of(api, environment).targets(pool));
    }

    private static void routingTypes(Fields fields, ControlPlaneApi api) {
        fields.of("Provider", ProviderConfig.class, ROUTING)
                .field("id", provider -> provider.id().id())
                .field("version", ProviderConfig::version)
                .field("plugin", ProviderConfig::plugin)
                .field("baseUrl", ProviderConfig::baseUrl)
                .field("quotaGroup", ProviderConfig::quotaGroup)
                .field("region", ProviderConfig::region);
        fields.of("Model", ModelConfig.class, ROUTING)
                .field("id", model -> model.id().id())
                .field("version", ModelConfig::version)
                .field("contextWindow", ModelConfig::contextWindow)
                .field("maxOutputTokens", ModelConfig::maxOutputTokens);
        fields.of("Price", PricedModel.class, TENANT)
                .field("model", PricedModel::model)
                .field("validFrom", priced -> priced.price().validFrom())
                .field("inputPerMTok", priced -> priced.price().inputPerMTok())
                .field("outputPerMTok", priced -> priced.price().outputPerMTok())
                .field("cachedInputPerMTok", priced -> priced.price().cachedInputPerMTok())
                .field("cacheWritePerMTok", priced -> priced.price().cacheWritePerMTok())
                .field("version", priced -> priced.price().version())
                .field("reasoningPerMTok", priced -> priced.price().reasoningPerMTok())
                .field("perImage", priced -> priced.price().perImage())
                .field("perServerToolCall", priced -> priced.price().perServerToolCall())
                .field("tiers", priced -> priced.price().tiers())
                .field("hours", priced -> priced.price().hours())
                .field("serviceTiers", priced -> priced.price().serviceTiers())
                .field("regions", priced -> priced.price().regions());
        fields.of("PriceFactor", PriceFactor.class, TENANT)
                .field("name", PriceFactor::name)
                .field("percent", PriceFactor::percent);
        fields.of("PriceTier", PriceTier.class, TENANT)
                .field("abovePromptTokens", PriceTier::abovePromptTokens)
                .field("inputPerMTok", PriceTier::inputPerMTok)
                .field("outputPerMTok", PriceTier::outputPerMTok)
                .field("cachedInputPerMTok", PriceTier::cachedInputPerMTok)
                .field("cacheWritePerMTok", PriceTier::cacheWritePerMTok)
                .field("reasoningPerMTok", PriceTier::reasoningPerMTok);
        fields.of("PriceHours", PriceHours.class, TENANT)
                .field("days", PriceHours::days)
                .field("from", hours -> PricedModel.clock(hours.fromMinute()))
                .field("until", hours -> PricedModel.clock(hours.untilMinute()))
                .field("percent", PriceHours::percent);
        fields.of("Target", TargetView.class, ROUTING)
                .field("provider", TargetView::provider)
                .field("model", TargetView::model)
                .field("weight", TargetView::weight)
                .field("health", TargetView::health)
                .field("state", TargetView::state);
        fields.of("PoolHealth", PoolView.class, ROUTING)
                .field("poolId", view -> view.pool().id())
                .field("tenantId", view -> text(view.pool().tenant()))
                .field("epoch", PoolView::epoch)
                .field("at", view -> view.figures().at())
                .field("targets", PoolView::targets)
                .field("usableAnswerRate", view -> view.figures().usableAnswerRate())
                .field("latencyP95Ms", view -> view.figures().latencyP95Ms())
                .field("firstTokenP95Ms", view -> view.figures().firstTokenP95Ms())
                .field("inFlight", view -> view.figures().inFlight())
                .field("queued", view -> view.figures().queued())
                .field("ownerNode", view -> api.ownerOf(view.pool()));
        fields.of("Scenario", ScenarioView.class, ROUTING)
                .field("name", view -> view.scenario().name())
                .field("version", view -> view.scenario().version())
                .field("sensitivity", view -> view.scenario().sensitivity())
                .field("kind", view -> view.scenario().kind())
                .field("core", view -> view.scenario().core())
                .field("ladder", view -> view.scenario().ladder());
        fields.of("Rung", RungConfig.class, ROUTING)
                .field("name", RungConfig::name)
                .field("pool", rung -> rung instanceof RungConfig.Pool pool ? pool.pool() : null)
                .field(
                        "kind",
                        rung -> rung instanceof RungConfig.Pool
                                ? "pool"
                                : rung instanceof RungConfig.Rules
                                        ? "rules"
                                        : rung instanceof RungConfig.Cache ? "cache" : "text");
        fields.of("RoutePlan", PlannedRoute.class, ROUTING)
                .field("candidates", PlannedRoute::candidates)
                .field("refused", PlannedRoute::refused);
        fields.of("PlannedTarget", PlannedRoute.Candidate.class, ROUTING)
                .field("step", PlannedRoute.Candidate::step)
                .field("provider", PlannedRoute.Candidate::provider)
                .field("model", PlannedRoute.Candidate::model)
                .field("probability", PlannedRoute.Candidate::probability)
                .field("reasons", PlannedRoute.Candidate::reasons);
        fields.of("Cluster", ControlPlaneApi.class, new Rule(Action.READ_CLUSTER))
                .field("members", ControlPlaneApi::members)
                .field("epoch", control -> control.configuration().epoch());
    }

    private static void faultTypes(Fields fields, Clock clock) {
        fields.of("FaultRule", FaultRuleConfig.class, ROUTING)
                .field("id", FaultRuleConfig::id)
                .field("version", FaultRuleConfig::version)
                .field("scenario", FaultRuleConfig::scenario)
                .field("pool", FaultRuleConfig::pool)
                .field("provider", FaultRuleConfig::provider)
                .field("model", FaultRuleConfig::model)
                .field("fault", rule -> rule.fault().kind())
                .field("retryAfter", rule -> duration(rule.fault().retryAfterMs()))
                .field("delay", rule -> duration(rule.fault().delayMs()))
                .field(
                        "afterEvents",
                        rule -> rule.fault().afterEvents() < 0
                                ? null
                                : rule.fault().afterEvents())
                .field("share", FaultRuleConfig::share)
                .field("startsAt", FaultRuleConfig::startsAt)
                .field("endsAt", FaultRuleConfig::endsAt)
                .field("over", rule -> rule.over(clock.instant()))
                .field("owner", FaultRuleConfig::owner)
                .field("reason", FaultRuleConfig::reason);
    }

    /** Null where there is none. */
    private static Duration duration(long ms) {
        return ms == 0 ? null : Duration.ofMillis(ms);
    }

    private static void operationTypes(Fields fields) {
        Rule decisions = new Rule(Action.READ_DECISIONS);
        fields.of("Decision", DecisionRecord.class, decisions)
                .field("traceId", DecisionRecord::traceId)
                .field("at", DecisionRecord::at)
                .field("tenantId", decision -> text(decision.tenant()))
                .field("scenario", DecisionRecord::scenario)
                .field("step", DecisionRecord::step)
                .field("model", DecisionRecord::model)
                .field("outcome", DecisionRecord::outcome)
                .field("attempts", DecisionRecord::attempts)
                .field("costUsd", DecisionRecord::cost)
                .field(
                        "epoch",
                        decision ->
                                decision.input() == null ? 0 : decision.input().epoch())
                .field("record", decision -> decision);
        fields.of("Attempt", AttemptRecord.class, decisions)
                .field("n", AttemptRecord::n)
                .field("step", AttemptRecord::step)
                .field("provider", AttemptRecord::provider)
                .field("model", AttemptRecord::model)
                .field("outcome", attempt -> attempt.failure() == null ? "ok" : "failed")
                .field(
                        "failureClass",
                        attempt -> attempt.failure() == null
                                ? null
                                : attempt.failure().name())
                .field("firstTokenMs", attempt -> attempt.firstTokenMs() < 0 ? null : attempt.firstTokenMs())
                .field("totalMs", AttemptRecord::totalMs)
                .field("fault", AttemptRecord::struckBy)
                .field("costUsd", AttemptRecord::cost);
        fields.of("Epoch", EpochEvent.class, TENANT)
                .field("epoch", EpochEvent::epoch)
                .field("at", EpochEvent::at)
                .field("cause", EpochEvent::cause);
        fields.of("Member", ClusterMember.class, new Rule(Action.READ_CLUSTER))
                .field("id", ClusterMember::id)
                .field("roles", ClusterMember::roles)
                .field("appliedEpoch", ClusterMember::appliedEpoch)
                .field("since", ClusterMember::since);
        fields.of("AuditEntry", AuditEntry.class, new Rule(Action.READ_AUDIT))
                .field("id", AuditEntry::id)
                .field("at", AuditEntry::at)
                .field("actor", AuditEntry::actor)
                .field("action", AuditEntry::action)
                .field("subject", AuditEntry::subject)
                .field("detail", AuditEntry::detail);
    }

    private static void payloadTypes(Fields fields) {
        Map.of(
                        "TenantPayload", "tenant",
                        "AppPayload", "app",
                        "ApiKeyPayload", "apiKey",
                        "AccessTokenPayload", "accessToken",
                        "ProviderPayload", "provider",
                        "ModelPayload", "model",
                        "PricePayload", "price",
                        "PoolPayload", "pool",
                        "ScenarioPayload", "scenario",
                        "FaultRulePayload", "faultRule")
                .forEach((type, object) -> payload(fields, type).field(object, Payload::object));
        payload(fields, "ApiKeyPayload").field("key", Payload::secret);
        payload(fields, "AccessTokenPayload").field("token", Payload::secret);
        payload(fields, "ApplyConfigPayload").field("epoch", Payload::epoch).field("changes", Payload::changes);
        fields.of("VerifyLadderPayload", LadderVerdict.class, Rule.ANY_PRINCIPAL)
                .field("ok", LadderVerdict::ok)
                .field("checks", LadderVerdict::checks)
                .field("costUsd", LadderVerdict::cost)
                .field("userErrors", LadderVerdict::errors);
        fields.of("RungCheck", RungCheck.class, new Rule(Action.WRITE_ROUTING))
                .field("step", RungCheck::step)
                .field("kind", RungCheck::kind)
                .field("provider", RungCheck::provider)
                .field("model", RungCheck::model)
                .field("ok", RungCheck::ok)
                .field("ms", RungCheck::ms)
                .field(
                        "failureClass",
                        check ->
                                check.failure() == null ? null : check.failure().name())
                .field("detail", RungCheck::detail)
                .field("costUsd", RungCheck::cost);
        fields.of("UserError", UserError.class, Rule.ANY_PRINCIPAL)
                .field("path", UserError::path)
                .field("code", UserError::code)
                .field("message", UserError::message);
        fields.of("ConfigChange", ConfigChange.class, ROUTING)
                .field("kind", ConfigChange::kind)
                .field("id", ConfigChange::id)
                .field("change", ConfigChange::change);
    }

    /** Who could run the mutation may read its payload. */
    private static Fields.OfType<Payload> payload(Fields fields, String type) {
        return fields.of(type, Payload.class, Rule.ANY_PRINCIPAL).field("userErrors", Payload::userErrors);
    }

    /** Who could ask for the connection may read it; its nodes have rules of their own. */
    private static void connectionTypes(Fields fields) {
        for (String type : List.of("TenantConnection", "PoolConnection", "DecisionConnection", "AuditConnection")) {
            fields.of(type, Connection.class, Rule.ANY_PRINCIPAL)
                    .field("nodes", Connection::nodes)
                    .field("pageInfo", Connection::info);
        }
        for (String type : List.of("TenantConnection", "PoolConnection")) {
            fields.of(type, Connection.class, Rule.ANY_PRINCIPAL).field("totalCount", Connection::totalCount);
        }
        fields.of("PageInfo", Page.Info.class, Rule.ANY_PRINCIPAL)
                .field("hasNextPage", Page.Info::hasNextPage)
                .field("endCursor", Page.Info::endCursor);
    }

    private static List<ProviderConfig> providers(Catalog catalog) {
        return sorted(catalog.providers(), provider -> provider.id().id());
    }

    private static List<ModelConfig> models(Catalog catalog) {
        return sorted(catalog.models(), model -> model.id().id());
    }

    private static List<PoolConfig> pools(Catalog catalog) {
        return sorted(catalog.pools(), pool -> pool.id().id());
    }

    private static <T> List<T> sorted(Map<String, T> byId, Function<T, String> key) {
        Collection<T> values = byId.values();
        return values.stream().sorted(Comparator.comparing(key)).toList();
    }

    private static String text(TenantId tenant) {
        return tenant == null ? null : tenant.value();
    }
}
