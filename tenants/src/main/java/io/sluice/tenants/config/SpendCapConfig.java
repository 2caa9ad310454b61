package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;

/**
 * The most that may be spent in each day or month of the tenant's calendar (requirement B5). A scope has at most one cap per
 * period; its id follows from both, so that setting it again changes it.
 *
 * @param subject app id, scenario name or end user; null for {@link CapScope#TENANT}
 * @param limit in the tenant's currency; 0 stops all spend
 * @param conserveAt share of the limit from which the band is CONSERVE, above 0
 * @param restrictAt share of the limit from which the band is RESTRICT, not below {@code conserveAt}, at most 1
 * @param removedAt when it was removed and bounds nothing any more; null while it holds
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SpendCapConfig(
        String id,
        int version,
        CapScope scope,
        String subject,
        CapPeriod period,
        Money limit,
        double conserveAt,
        double restrictAt,
        AtExhaustion atExhaustion,
        Instant removedAt) {
    public SpendCapConfig {
        Objects.requireNonNull(id);
        Objects.requireNonNull(scope);
        Objects.requireNonNull(period);
        Objects.requireNonNull(limit);
        Objects.requireNonNull(atExhaustion);
        if ((subject == null) != (scope == CapScope.TENANT)) {
            throw new IllegalArgumentException("every cap but a tenant's has a subject");
        }
    }

    /** The id of the cap of that scope and period, such as {@code day-tenant} or {@code month-app:web}. */
    public static String idOf(CapScope scope, String subject, CapPeriod period) {
        String kind = period.name() + "-" + scope.name().replace('_', '-');
        return kind.toLowerCase(Locale.ROOT) + (subject == null ? "" : ":" + subject);
    }

    @JsonIgnore
    public boolean removed() {
        return removedAt != null;
    }

    /** The same cap, which bounds nothing from {@code at} on. */
    public SpendCapConfig removed(Instant at) {
        return new SpendCapConfig(
                id, version + 1, scope, subject, period, limit, conserveAt, restrictAt, atExhaustion, at);
    }

    /** For people: {@code the day cap of app web}. */
    public String display() {
        String whose = scope.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return "the " + period.name().toLowerCase(Locale.ROOT) + " cap of "
                + (subject == null ? "the tenant" : "the " + whose + " " + subject);
    }
}
