package io.sluice.control.config;

import io.sluice.control.api.Action;
import io.sluice.control.api.Authorizer;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.Principal;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.config.UserErrorCode;
import java.util.ArrayList;
import java.util.List;

/**
 * Says whether a principal may give a command. Another tenant's objects do not exist for it; the platform's it may use but
 * not write.
 */
public final class AccessDecider {
    private AccessDecider() {}

    /** Why not; empty where {@code principal} may. */
    public static List<UserError> decide(Principal principal, ConfigCommand command) {
        CommandScope scope = CommandScope.of(command);
        boolean platformAdmin = principal.role() == Role.PLATFORM_ADMIN;
        boolean ofAnother = scope.tenant() != null
                && !platformAdmin
                && !scope.tenant().equals(String.valueOf(principal.tenantId()));
        if (ofAnother && !scope.createsTenant()) {
            return List.of(
                    new UserError(List.of(scope.tenantMember()), UserErrorCode.NOT_FOUND, "there is no such tenant"));
        }
        List<UserError> errors = new ArrayList<>();
        for (CommandScope.Need need : scope.needs()) {
            if (!Authorizer.allows(principal.role(), need.action())) {
                errors.add(new UserError(
                        need.path(),
                        UserErrorCode.FORBIDDEN,
                        "the role " + principal.role() + " may not " + words(need.action())));
            }
        }
        if (errors.isEmpty() && scope.tenant() == null && !platformAdmin) {
            errors.add(new UserError(
                    List.of(scope.tenantMember()),
                    UserErrorCode.FORBIDDEN,
                    "only a platform administrator writes the platform's objects; name your tenant"));
        }
        return errors;
    }

    private static String words(Action action) {
        return switch (action) {
            case WRITE_TENANT -> "create or change tenants";
            case WRITE_APPS -> "create apps";
            case WRITE_KEYS -> "create keys";
            case REVOKE_KEYS -> "revoke keys";
            case WRITE_ROUTING -> "write providers, models, pools, scenarios and fault rules";
            case WRITE_PRICES -> "write prices";
            case WRITE_ACCESS_TOKENS -> "create access tokens";
            case WRITE_CAPS -> "set or remove spend caps; that is for the role FINANCE";
            case WRITE_WEBHOOKS -> "write webhooks; that is for the role FINANCE";
            case WRITE_BALANCES -> "say what prepaid accounts hold; that is for the role FINANCE";
            case UNFREEZE_CAPS -> "let frozen spend caps grant again; that is for the role PLATFORM_ADMIN";
            case ADJUST_SPEND -> "correct what days have cost; that is for the role FINANCE";
            case READ_TENANT, READ_KEYS, READ_SPEND, READ_ROUTING, READ_DECISIONS, READ_AUDIT, READ_CLUSTER ->
                "read this";
        };
    }
}
