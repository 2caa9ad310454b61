package io.sluice.control.config;

import io.sluice.control.api.ConfigCommand.CreateApp;
import io.sluice.control.api.ConfigCommand.CreateTenant;
import io.sluice.control.api.ConfigCommand.UpdateTenant;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.UserErrorCode;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Currency;
import java.util.Set;

/** Tenants and their apps. */
final class TenantChecks {
    /** Far more than anybody runs; it bounds memory where a script runs wild. */
    static final int TENANTS_MAX = 100_000;

    /** Likewise. */
    static final int APPS_MAX = 1_000;

    private static final Set<String> ZONES = ZoneId.getAvailableZoneIds();

    private TenantChecks() {}

    static void create(Draft draft, CreateTenant command, Problems problems) {
        int mistakes = problems.count();
        if (problems.id(command.id(), "id") && draft.tree() != null) {
            problems.add(UserErrorCode.DUPLICATE, "there is a tenant of this id; choose another", "id");
        }
        if (problems.present(command.displayName(), "displayName")) {
            problems.name(command.displayName(), "displayName");
        }
        if (problems.present(command.timeZone(), "timeZone")) {
            zone(command.timeZone(), problems);
        }
        if (problems.notNull(command.currency(), "currency")) {
            currency(command.currency(), problems);
        }
        if (draft.before().tenants().size() >= TENANTS_MAX) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "there are " + TENANTS_MAX + " tenants, the most", "id");
        }
        if (problems.count() == mistakes) {
            draft.put(
                    new TenantConfig(
                            new TenantId(command.id()),
                            1,
                            command.displayName(),
                            ZoneId.of(command.timeZone()),
                            command.currency(),
                            false),
                    Change.CREATED);
        }
    }

    static void update(Draft draft, UpdateTenant command, Instant at, Problems problems) {
        int mistakes = problems.count();
        TenantConfig now = draft.tree().tenant();
        if (command.displayName() != null) {
            problems.name(command.displayName(), "displayName");
        }
        if (command.timeZone() != null) {
            zone(command.timeZone(), problems);
        }
        for (String member : command.emptied()) {
            problems.add(UserErrorCode.REQUIRED, "can't be emptied; leave it out to keep it as it is", member);
        }
        LimitsConfig limits = LimitChecks.read(command.limits(), "limits", problems);
        LimitsConfig endUserLimits = LimitChecks.read(command.endUserLimits(), "endUserLimits", problems);
        int version = problems.nextVersion(command.version(), now.version(), draft.document());
        if (problems.count() > mistakes) {
            return;
        }
        ZoneId zone = command.timeZone() == null ? now.timeZone() : ZoneId.of(command.timeZone());
        TenantConfig same = new TenantConfig(
                now.id(),
                now.version(),
                command.displayName() == null ? now.displayName() : command.displayName(),
                zone,
                now.currency(),
                command.suspended() == null ? now.suspended() : command.suspended(),
                zone.equals(now.timeZone()) ? now.calendar() : now.calendar().move(zone, at),
                command.limits() == null ? now.limits() : limits,
                command.endUserLimits() == null ? now.endUserLimits() : endUserLimits);
        if (same.equals(now)) {
            draft.put(now, Change.UNCHANGED);
        } else {
            draft.put(
                    new TenantConfig(
                            now.id(),
                            version,
                            same.displayName(),
                            same.timeZone(),
                            same.currency(),
                            same.suspended(),
                            same.calendar(),
                            same.limits(),
                            same.endUserLimits()),
                    Change.UPDATED);
        }
    }

    /** In a document an app that exists is left, renamed or limited otherwise; alone it is a mistake. */
    static void app(Draft draft, CreateApp command, Problems problems) {
        int mistakes = problems.count();
        boolean named = problems.id(command.id(), "id");
        if (command.displayName() != null) {
            problems.name(command.displayName(), "displayName");
        }
        LimitsConfig limits = LimitChecks.read(command.limits(), "limits", problems);
        LimitsConfig endUserLimits = LimitChecks.read(command.endUserLimits(), "endUserLimits", problems);
        AppConfig now = named ? draft.tree().apps().get(command.id()) : null;
        if (now != null && !draft.document()) {
            problems.add(UserErrorCode.DUPLICATE, "the tenant has an app of this id; choose another", "id");
        }
        if (draft.tree().apps().size() >= APPS_MAX && now == null) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "the tenant has " + APPS_MAX + " apps, the most", "id");
        }
        if (problems.count() == mistakes) {
            AppConfig app = new AppConfig(command.id(), command.displayName(), limits, endUserLimits);
            draft.put(app, now == null ? Change.CREATED : now.equals(app) ? Change.UNCHANGED : Change.UPDATED);
        }
    }

    private static void zone(String name, Problems problems) {
        if (!ZONES.contains(name)) {
            problems.add(UserErrorCode.INVALID, "must be an IANA time zone such as Europe/Berlin or UTC", "timeZone");
        }
    }

    /** Metals, funds and the codes for tests and for no currency have no smallest unit, so nothing is paid in them. */
    private static void currency(String code, Problems problems) {
        boolean known = Currency.getAvailableCurrencies().stream()
                .anyMatch(each -> each.getCurrencyCode().equals(code) && each.getDefaultFractionDigits() >= 0);
        if (!known) {
            problems.add(UserErrorCode.INVALID, "must be an ISO 4217 code such as USD or EUR", "currency");
        }
    }
}
