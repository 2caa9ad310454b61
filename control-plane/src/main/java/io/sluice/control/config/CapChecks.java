package io.sluice.control.config;

import io.sluice.control.api.ConfigCommand.RemoveSpendCap;
import io.sluice.control.api.ConfigCommand.SetSpendCap;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.money.Money;
import java.util.Optional;

/** Spend caps. */
final class CapChecks {
    static final double CONSERVE_AT = 0.7;
    static final double RESTRICT_AT = 0.9;

    /** Nine billion, so that no amount reaches 2^53 micro-units, from where on not every system adds exactly. */
    static final long LIMIT_MICROS_MAX = 9_000_000_000L * 1_000_000;

    /** Each end user may have its own; every request looks up at most eight. */
    static final int CAPS_MAX = 10_000;

    private CapChecks() {}

    static void set(Draft draft, SetSpendCap command, DecisionContext context, Problems problems) {
        int mistakes = problems.count();
        CapScope scope = problems.oneOf(CapScope.class, command.scope(), "scope");
        CapPeriod period = problems.oneOf(CapPeriod.class, command.period(), "period");
        AtExhaustion atExhaustion = problems.oneOf(AtExhaustion.class, command.atExhaustion(), "atExhaustion");
        Optional<Money> limit = limit(command.limit(), problems);
        bands(command, problems);
        if (scope != null) {
            subject(draft, scope, command.subject(), problems);
        }
        if (problems.count() > mistakes) {
            return;
        }
        String id = SpendCapConfig.idOf(scope, command.subject(), period);
        SpendCapConfig present = draft.tree().spendCaps().get(id);
        boolean holds = present != null && !present.removed();
        int version = problems.nextVersion(
                command.version(),
                present == null ? 0 : present.version(),
                draft.document() || (present != null && present.removed()));
        if (present == null && draft.tree().spendCaps().size() >= CAPS_MAX) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "the tenant has the most caps it can have", "subject");
        }
        if (context.role() == Role.PLATFORM_ADMIN && holds) {
            onlyTighter(command, limit.get(), present, problems);
        }
        if (problems.count() > mistakes) {
            return;
        }
        SpendCapConfig made = new SpendCapConfig(
                id,
                version,
                scope,
                command.subject(),
                period,
                limit.get(),
                command.conserveAt(),
                command.restrictAt(),
                atExhaustion,
                null);
        draft.put(made, present == null ? Change.CREATED : Change.UPDATED);
    }

    /** The platform stops what costs too much; how freely a tenant spends is the tenant's to say. */
    private static void onlyTighter(SetSpendCap command, Money limit, SpendCapConfig present, Problems problems) {
        if (limit.compareTo(present.limit()) > 0) {
            problems.add(
                    UserErrorCode.FORBIDDEN,
                    "a platform administrator may lower a cap, not raise it; the tenant's FINANCE role may",
                    "limit");
        }
        notLater(command.conserveAt(), present.conserveAt(), "conserveAt", problems);
        notLater(command.restrictAt(), present.restrictAt(), "restrictAt", problems);
    }

    private static void notLater(double share, double present, String member, Problems problems) {
        if (share > present) {
            problems.add(
                    UserErrorCode.FORBIDDEN,
                    "a platform administrator may not raise it from " + present
                            + ", because the tenant would save later; the tenant's FINANCE role may",
                    member);
        }
    }

    private static Optional<Money> limit(String text, Problems problems) {
        if (!problems.present(text, "limit")) {
            return Optional.empty();
        }
        Optional<Money> limit = Money.parse(text).filter(money -> money.micros() >= 0);
        if (limit.isEmpty() || limit.get().micros() > LIMIT_MICROS_MAX) {
            problems.add(
                    UserErrorCode.INVALID,
                    "must be a decimal amount from 0 to 9000000000 with at most 6 decimals, such as \"250.00\"",
                    "limit");
            return Optional.empty();
        }
        return limit;
    }

    private static void bands(SetSpendCap command, Problems problems) {
        boolean conserve = share(command.conserveAt(), "conserveAt", problems);
        boolean restrict = share(command.restrictAt(), "restrictAt", problems);
        if (conserve && restrict && command.restrictAt() < command.conserveAt()) {
            problems.add(UserErrorCode.INVALID, "must not be below conserveAt", "restrictAt");
        }
    }

    private static boolean share(Double share, String member, Problems problems) {
        if (!problems.notNull(share, member)) {
            return false;
        }
        boolean valid = share > 0 && share <= 1;
        if (!valid) {
            problems.add(UserErrorCode.INVALID, "must be a share of the limit above 0 and at most 1", member);
        }
        return valid;
    }

    private static void subject(Draft draft, CapScope scope, String subject, Problems problems) {
        if (scope == CapScope.TENANT) {
            if (subject != null) {
                problems.add(
                        UserErrorCode.INVALID, "is for other scopes; leave it out for the tenant's own cap", "subject");
            }
            return;
        }
        if (!problems.present(subject, "subject") || !problems.name(subject, "subject")) {
            return;
        }
        boolean known = switch (scope) {
            case APP -> draft.tree().apps().containsKey(subject);
            case SCENARIO -> draft.tree().scenarios().containsKey(subject);
            case END_USER, TENANT -> true;
        };
        if (!known) {
            problems.add(
                    UserErrorCode.NOT_FOUND,
                    scope == CapScope.APP ? "there is no such app" : "there is no such scenario",
                    "subject");
        }
    }

    static void remove(Draft draft, RemoveSpendCap command, DecisionContext context, Problems problems) {
        if (!problems.present(command.id(), "id")) {
            return;
        }
        SpendCapConfig present = draft.tree().spendCaps().get(command.id());
        if (present == null) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such cap", "id");
            return;
        }
        if (present.removed()) { // two people may reach for the same cap
            draft.put(present, Change.UNCHANGED);
            return;
        }
        if (context.role() == Role.PLATFORM_ADMIN) {
            problems.add(
                    UserErrorCode.FORBIDDEN,
                    "a platform administrator may lower a cap, not remove it; the tenant's FINANCE role may",
                    "id");
        }
        if (command.version() != null) {
            problems.nextVersion(command.version(), present.version(), false);
        }
        if (problems.count() == 0) {
            draft.put(present.removed(context.now()), Change.UPDATED);
        }
    }
}
