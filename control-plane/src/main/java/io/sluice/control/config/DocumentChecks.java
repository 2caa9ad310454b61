package io.sluice.control.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.ConfigCommand.ApplyDocument;
import io.sluice.control.api.ConfigCommand.CreateApp;
import io.sluice.control.api.ConfigCommand.Limits;
import io.sluice.control.api.ConfigCommand.PutDrill;
import io.sluice.control.api.ConfigCommand.PutModel;
import io.sluice.control.api.ConfigCommand.PutPool;
import io.sluice.control.api.ConfigCommand.PutPrice;
import io.sluice.control.api.ConfigCommand.PutProvider;
import io.sluice.control.api.ConfigCommand.PutScenario;
import io.sluice.control.api.ConfigCommand.SetSpendCap;
import io.sluice.control.api.ConfigCommand.UpdateTenant;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.UserErrorCode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A document of many objects: read strictly, then checked in the order in which they depend on one another, all in one
 * pass. An object that is wrong still counts as declared, so that what refers to it is not reported too.
 */
final class DocumentChecks {
    /** Bounds the time of one command on the configuration's only thread. */
    static final int OBJECTS_MAX = 10_000;

    private static final Set<String> OF_PLATFORM = Set.of("providers", "models", "prices", "pools");
    private static final Set<String> OF_TENANT = Set.of("tenant", "apps", "scenarios", "drills", "spendCaps");

    private final Draft draft;
    private final String tenant;
    private final JsonNode document;
    private final Problems problems;

    private DocumentChecks(Draft draft, ApplyDocument command, Problems problems) {
        this.draft = draft;
        tenant = command.tenantId();
        document = command.document();
        this.problems = problems;
    }

    static void apply(Draft draft, ApplyDocument command, DecisionContext context, Problems problems) {
        long epoch = draft.before().epoch();
        if (command.expectedEpoch() != null && command.expectedEpoch() != epoch) {
            problems.add(
                    UserErrorCode.CONFLICT_VERSION,
                    "the present epoch is " + epoch + ", not " + command.expectedEpoch()
                            + "; compare the document with it again",
                    "expectedEpoch");
        }
        problems.notNull(command.dryRun(), "dryRun");
        if (!problems.present(command.document(), "document")) {
            return;
        }
        if (!command.document().isObject()) {
            problems.add(UserErrorCode.INVALID, "must be an object with lists of objects by kind", "document");
            return;
        }
        new DocumentChecks(draft, command, problems.at("document")).all(context);
    }

    private void all(DecisionContext context) {
        Set<String> known = new TreeSet<>(OF_PLATFORM);
        if (draft.owner() != null) {
            known.addAll(OF_TENANT);
        }
        int objects = 0;
        for (var members = document.fields(); members.hasNext(); ) {
            var member = members.next();
            objects += member.getValue().size();
            if (!known.contains(member.getKey())) {
                boolean needsTenant = OF_TENANT.contains(member.getKey());
                problems.add(
                        UserErrorCode.INVALID,
                        needsTenant
                                ? "belongs to a tenant; name the tenantId"
                                : "unknown member; known are " + String.join(", ", known),
                        member.getKey());
            }
        }
        if (objects > OBJECTS_MAX) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "has more than " + OBJECTS_MAX + " objects; split it");
            return;
        }
        for (ObjectKind kind : List.of(ObjectKind.PROVIDER, ObjectKind.MODEL, ObjectKind.POOL)) {
            declare(kind);
        }
        each("providers", "id", this::provider, (command, at) -> ProviderChecks.put(draft, command, context, at));
        each("models", "id", this::model, (command, at) -> ProviderChecks.put(draft, command, at));
        each("prices", null, this::price, (command, at) -> PriceChecks.put(draft, command, context.now(), at));
        each("pools", "id", this::pool, (command, at) -> PoolChecks.put(draft, command, context.now(), at));
        if (draft.owner() != null) {
            JsonNode own = document.get("tenant");
            if (own != null && !own.isNull()) {
                one(
                        own,
                        problems.at("tenant"),
                        this::tenant,
                        (command, at) -> TenantChecks.update(draft, command, context.now(), at));
            }
            each("apps", "id", this::app, (command, at) -> TenantChecks.app(draft, command, at));
            each("scenarios", "name", this::scenario, (command, at) -> ScenarioChecks.put(draft, command, at));
            each("drills", "id", this::drill, (command, at) -> DrillChecks.put(draft, command, context.now(), at));
            each("spendCaps", null, this::spendCap, (command, at) -> CapChecks.set(draft, command, context, at));
            StartChecks.keepsRungs(draft, context.now(), "scenarios", "scenarios", problems);
        }
    }

    private void declare(ObjectKind kind) {
        for (JsonNode object : document.path(kind.word() + "s")) {
            if (object.path("id").isTextual()) {
                draft.declare(kind, object.path("id").textValue());
            }
        }
    }

    /** Reads and checks the objects of one list. */
    private <T> void each(
            String list, String idMember, Function<MemberReader, T> reader, BiConsumer<T, Problems> check) {
        JsonNode objects = document.get(list);
        if (objects == null || objects.isNull()) {
            return;
        }
        if (!objects.isArray()) {
            problems.add(UserErrorCode.INVALID, "must be a list", list);
            return;
        }
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < objects.size(); i++) {
            Problems at = problems.at(list, Integer.toString(i));
            JsonNode id = idMember == null ? null : objects.get(i).get(idMember);
            if (id != null && id.isTextual() && !ids.add(id.textValue())) {
                at.add(UserErrorCode.DUPLICATE, "stands twice in the document", idMember);
            } else {
                one(objects.get(i), at, reader, check);
            }
        }
    }

    private static <T> void one(
            JsonNode object, Problems at, Function<MemberReader, T> reader, BiConsumer<T, Problems> check) {
        MemberReader members = new MemberReader(object, at);
        if (object.isObject()) {
            T command = reader.apply(members);
            members.finish();
            check.accept(command, at);
        }
    }

    private UpdateTenant tenant(MemberReader in) {
        return new UpdateTenant(
                tenant,
                in.whole("version"),
                in.text("displayName"),
                in.text("timeZone"),
                in.truth("suspended"),
                limits(in, "limits"),
                limits(in, "endUserLimits"),
                in.nulls("displayName", "timeZone", "suspended"));
    }

    /** Null takes the limits away where they would stay. */
    private static Limits limits(MemberReader in, String member) {
        Limits limits = in.object(
                member,
                inner -> new Limits(
                        inner.whole("requestsPerMinute"),
                        inner.whole("tokensPerMinute"),
                        inner.whole("maxConcurrency")));
        return limits == null && in.has(member) ? new Limits(null, null, null) : limits;
    }

    private CreateApp app(MemberReader in) {
        return new CreateApp(
                tenant, in.text("id"), in.text("displayName"), limits(in, "limits"), limits(in, "endUserLimits"));
    }

    private PutProvider provider(MemberReader in) {
        return new PutProvider(
                tenant,
                in.text("id"),
                in.whole("version"),
                in.text("plugin"),
                in.text("baseUrl"),
                in.text("credential"),
                in.text("quotaGroup"),
                in.text("region"),
                in.whole("requestsPerMinute"),
                in.whole("tokensPerMinute"),
                in.whole("maxConcurrency"),
                in.any("settings"));
    }

    private PutModel model(MemberReader in) {
        return new PutModel(
                tenant,
                in.text("id"),
                in.whole("version"),
                in.whole("contextWindow"),
                in.whole("maxOutputTokens"),
                in.truth("tools"),
                in.truth("vision"),
                in.truth("jsonSchema"));
    }

    private PutPrice price(MemberReader in) {
        return new PutPrice(
                tenant,
                in.text("model"),
                in.text("validFrom"),
                in.text("inputPerMTok"),
                in.text("outputPerMTok"),
                in.text("cachedInputPerMTok"),
                in.text("cacheWritePerMTok"),
                in.text("reasoningPerMTok"),
                in.text("perImage"),
                in.text("perServerToolCall"),
                in.list(
                        "tiers",
                        tier -> new PutPrice.Tier(
                                tier.whole("abovePromptTokens"),
                                tier.text("inputPerMTok"),
                                tier.text("outputPerMTok"),
                                tier.text("cachedInputPerMTok"),
                                tier.text("cacheWritePerMTok"),
                                tier.text("reasoningPerMTok"))),
                in.list(
                        "hours",
                        window -> new PutPrice.Hours(
                                window.texts("days"),
                                window.text("from"),
                                window.text("until"),
                                window.whole("percent"))),
                in.list("serviceTiers", DocumentChecks::factor),
                in.list("regions", DocumentChecks::factor));
    }

    private static PutPrice.Factor factor(MemberReader in) {
        return new PutPrice.Factor(in.text("name"), in.whole("percent"));
    }

    private PutPool pool(MemberReader in) {
        return new PutPool(
                tenant,
                in.text("id"),
                in.whole("version"),
                in.text("tier"),
                in.list(
                        "targets",
                        target -> new PutPool.Target(
                                target.text("provider"),
                                target.text("model"),
                                target.text("upstreamName"),
                                target.wholeOr("weight", 100))));
    }

    private PutScenario scenario(MemberReader in) {
        return new PutScenario(
                tenant,
                in.text("name"),
                in.whole("version"),
                in.text("sensitivity"),
                in.text("kind"),
                in.truthOr("core", true),
                in.text("deadline"),
                in.text("firstTokenTimeout"),
                in.list("ladder", DocumentChecks::rung),
                in.any("outputSchema"),
                in.any("settings"),
                limits(in, "limits"));
    }

    private PutDrill drill(MemberReader in) {
        return new PutDrill(
                tenant,
                in.text("id"),
                in.whole("version"),
                in.text("scenario"),
                in.text("fromStep"),
                in.number("share"),
                in.object("once", once -> new PutDrill.Once(once.text("from"), once.text("until"))),
                in.object(
                        "monthly",
                        month -> new PutDrill.Monthly(month.whole("day"), month.text("at"), month.text("duration"))),
                in.text("owner"),
                in.text("reason"),
                in.truthOr("enabled", true));
    }

    private SetSpendCap spendCap(MemberReader in) {
        return new SetSpendCap(
                tenant,
                in.text("scope"),
                in.text("subject"),
                in.text("period"),
                in.text("limit"),
                in.has("conserveAt") ? in.number("conserveAt") : CapChecks.CONSERVE_AT,
                in.has("restrictAt") ? in.number("restrictAt") : CapChecks.RESTRICT_AT,
                in.has("atExhaustion") ? in.text("atExhaustion") : AtExhaustion.REFUSE.name(),
                in.whole("version"));
    }

    private static PutScenario.Rung rung(MemberReader in) {
        return new PutScenario.Rung(
                in.text("name"),
                in.text("pool"),
                in.any("cache"),
                in.any("rules"),
                in.text("text"),
                in.number("maxTokensFactor"),
                in.whole("fewShotMax"),
                in.text("promptVariant"),
                in.text("timeout"),
                in.text("minRemaining"));
    }
}
