package io.sluice.control.api;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Role;

/**
 * The permission matrix: which role may do what, to whose objects. A principal of one tenant never reaches another's or the
 * platform's; what it can not see is reported as not found.
 */
public final class Authorizer {
    private Authorizer() {}

    /**
     * Whether {@code principal} may do {@code action} to objects of {@code owner}.
     *
     * @param owner null means the platform
     */
    public static boolean may(Principal principal, Action action, TenantId owner) {
        boolean inScope =
                principal.role() == Role.PLATFORM_ADMIN || (owner != null && owner.equals(principal.tenantId()));
        return inScope && allows(principal.role(), action);
    }

    /** Whether the role may do it at all, within its scope. */
    public static boolean allows(Role role, Action action) {
        return switch (role) {
            case PLATFORM_ADMIN -> action != Action.ADJUST_SPEND && action != Action.WRITE_WEBHOOKS;
            case TENANT_ADMIN ->
                action != Action.WRITE_TENANT
                        && action != Action.READ_CLUSTER
                        && action != Action.WRITE_CAPS
                        && action != Action.UNFREEZE_CAPS
                        && action != Action.ADJUST_SPEND
                        && action != Action.WRITE_WEBHOOKS
                        && action != Action.WRITE_BALANCES;
            case FINANCE ->
                action == Action.READ_TENANT
                        || action == Action.READ_AUDIT
                        || action == Action.READ_SPEND
                        || action == Action.WRITE_CAPS
                        || action == Action.ADJUST_SPEND
                        || action == Action.WRITE_WEBHOOKS
                        || action == Action.WRITE_BALANCES;
            case REVIEWER -> action == Action.READ_TENANT;
            case AUDITOR ->
                action == Action.READ_TENANT
                        || action == Action.READ_KEYS
                        || action == Action.READ_AUDIT
                        || action == Action.READ_SPEND
                        || action == Action.READ_DECISIONS
                        || action == Action.READ_ROUTING;
        };
    }
}
