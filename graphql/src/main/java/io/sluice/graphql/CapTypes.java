package io.sluice.graphql;

import io.sluice.control.api.Action;
import io.sluice.control.api.CapStanding;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.graphql.Writes.Payload;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantTree;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;

/** The fields of spend caps. How one stands is read when it is asked for. */
final class CapTypes {
    private static final Rule SPEND = new Rule(Action.READ_SPEND);

    private CapTypes() {}

    static void register(Fields fields, ControlPlaneApi api) {
        fields.of("Tenant", TenantTree.class, SPEND).field("spendCaps", CapTypes::caps);
        Fields.OfType<CapView> cap = fields.of("SpendCap", CapView.class, SPEND)
                .field("id", view -> view.cap().id())
                .field("version", view -> view.cap().version())
                .field("scope", view -> view.cap().scope())
                .field("subject", view -> view.cap().subject())
                .field("period", view -> view.cap().period())
                .field("limit", view -> view.cap().limit())
                .field("conserveAt", view -> view.cap().conserveAt())
                .field("restrictAt", view -> view.cap().restrictAt())
                .field("atExhaustion", view -> view.cap().atExhaustion())
                .field("removedAt", view -> view.cap().removedAt());
        standing(cap, api, "spent", (view, standing) -> standing.spent());
        standing(cap, api, "held", (view, standing) -> standing.held());
        standing(cap, api, "band", (view, standing) -> standing.band());
        standing(cap, api, "resetsAt", (view, standing) -> standing.resetsAt());
        standing(cap, api, "forecast", (view, standing) -> standing.forecast());
        standing(cap, api, "explanation", (view, standing) -> standing.explanation());
        fields.of("SpendCapPayload", Payload.class, Rule.ANY_PRINCIPAL)
                .field("spendCap", Payload::object)
                .field("userErrors", Payload::userErrors);
        fields.of("SpendEvent", CapStanding.class, SPEND)
                .field("at", CapStanding::at)
                .field("capId", standing -> standing.account().capId())
                .field("spent", CapStanding::spent)
                .field("band", CapStanding::band)
                .field("explanation", CapStanding::explanation);
    }

    private static void standing(
            Fields.OfType<CapView> cap,
            ControlPlaneApi api,
            String name,
            BiFunction<CapView, CapStanding, Object> value) {
        cap.field(name, view -> value.apply(view, api.capStanding(view.tenant().id(), view.cap())));
    }

    /** Those that hold, widest scope first. */
    private static List<CapView> caps(TenantTree tree) {
        return tree.spendCaps().values().stream()
                .filter(cap -> !cap.removed())
                .sorted(Comparator.comparing(SpendCapConfig::scope).thenComparing(SpendCapConfig::id))
                .map(cap -> new CapView(tree.tenant(), cap))
                .toList();
    }
}
