package io.sluice.graphql;

import io.sluice.control.api.Action;
import io.sluice.graphql.Writes.Payload;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.TenantTree;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;

/** The fields of degradation switches. Whether one is on is said as of the moment at which it is read. */
final class SwitchTypes {
    private static final Rule ROUTING = new Rule(Action.READ_ROUTING);

    private SwitchTypes() {}

    /** What a switch is doing. */
    enum State {
        ON,
        EXPIRED,
        ENDED;

        static State of(SwitchConfig degradation, Instant now) {
            if (degradation.activeAt(now)) {
                return ON;
            }
            return degradation.endedAt() == null ? EXPIRED : ENDED;
        }
    }

    static void register(Fields fields, Clock clock) {
        fields.of("Tenant", TenantTree.class, ROUTING)
                .field(
                        "switches",
                        tree -> tree.switches().values().stream()
                                .sorted(Comparator.comparing(SwitchConfig::id))
                                .toList());
        fields.of("DegradationSwitch", SwitchConfig.class, ROUTING)
                .field("id", SwitchConfig::id)
                .field("version", SwitchConfig::version)
                .field("scenario", SwitchConfig::scenario)
                .field("fromStep", SwitchConfig::fromStep)
                .field("owner", SwitchConfig::owner)
                .field("reason", SwitchConfig::reason)
                .field("expiresAt", SwitchConfig::expiresAt)
                .field("reviewOn", SwitchConfig::reviewOn)
                .field("endedAt", SwitchConfig::endedAt)
                .field("state", degradation -> State.of(degradation, clock.instant()))
                .field("message", degradation -> message(degradation, clock.instant()));
        for (String type : new String[] {"PutSwitchPayload", "EndSwitchPayload"}) {
            fields.of(type, Payload.class, Rule.ANY_PRINCIPAL)
                    .field("switch", Payload::object)
                    .field("userErrors", Payload::userErrors);
        }
    }

    /** The state in words, for people. */
    static String message(SwitchConfig degradation, Instant now) {
        String where = degradation.scenario() == null ? "every scenario that has it" : degradation.scenario();
        return switch (State.of(degradation, now)) {
            case ON ->
                "requests of " + where + " start at the rung " + degradation.fromStep() + " or below until "
                        + degradation.expiresAt() + "; ask " + degradation.owner();
            case EXPIRED ->
                "it ended by itself at " + degradation.expiresAt()
                        + ": requests start at the first rung again; put it again with a new expiresAt if it is needed";
            case ENDED ->
                "it was ended by hand at " + degradation.endedAt() + ": requests start at the first rung again";
        };
    }
}
