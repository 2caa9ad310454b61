package io.sluice.data.request;

import io.sluice.data.money.RequestCaps;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.TenantCalendar;
import io.sluice.tenants.routing.CompiledCap;
import io.sluice.tenants.routing.CompiledTenant;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which spend caps apply to a request and where they count, found once for a key, a scenario and a day of the tenant: asking a calendar
 * for the date costs more than spending the money. For one event loop.
 */
final class CapBook {
    private final PairBook<OfPair> book = new PairBook<>(
            (caller, scenario) -> new OfPair(caller.tenant(), caller.key().appId(), scenario.name()));

    /** The caps that apply. */
    RequestCaps of(Identified identified) {
        Caller caller = identified.caller();
        return caller.tenant().caps().none()
                ? RequestCaps.NONE
                : book.of(caller, identified.scenario())
                        .of(identified.endUser(), identified.arrival().at());
    }

    /** Those of a key's requests for a scenario, for the day that was asked for last. */
    static final class OfPair {
        private final CompiledTenant tenant;
        private final String app;
        private final String scenario;
        private final Map<String, RequestCaps> ofEndUsers = new HashMap<>();
        private RequestCaps named = RequestCaps.NONE;
        private Instant from = Instant.MAX;
        private Instant until = Instant.MIN;

        OfPair(CompiledTenant tenant, String app, String scenario) {
            this.tenant = tenant;
            this.app = app;
            this.scenario = scenario;
        }

        /** @param endUser null where the request names none; one without a cap has those of all others */
        RequestCaps of(String endUser, Instant at) {
            if (at.isBefore(from) || !at.isBefore(until)) {
                begin(at);
            }
            return endUser == null || !tenant.caps().endUsers().containsKey(endUser)
                    ? named
                    : ofEndUsers.computeIfAbsent(endUser, made -> caps(made, at));
        }

        private void begin(Instant at) {
            TenantCalendar calendar = tenant.caps().calendar();
            from = at;
            until = calendar.endOf(calendar.periodAt(CapPeriod.DAY, at));
            named = caps(null, at);
            ofEndUsers.clear();
        }

        private RequestCaps caps(String endUser, Instant at) {
            List<CompiledCap> caps = tenant.caps().of(app, scenario, endUser);
            return new RequestCaps(caps, tenant.accounts(caps, at));
        }
    }
}
