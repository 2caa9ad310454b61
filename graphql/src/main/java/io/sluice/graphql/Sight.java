package io.sluice.graphql;

import io.sluice.control.api.Action;
import io.sluice.control.api.Authorizer;
import io.sluice.control.api.Principal;
import io.sluice.tenants.Ids;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.TenantTree;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What of one configuration a caller may see. A tenant out of sight and a tenant that does not exist give the same answer,
 * whatever is asked; the attempt is logged.
 */
record Sight(Configuration configuration, Caller caller) {
    private static final Logger LOG = LoggerFactory.getLogger(Sight.class);

    Principal principal() {
        return caller.principal();
    }

    /** The tenant, where it exists and the caller may do {@code action} to it. */
    Optional<TenantTree> tenant(String id, Action action) {
        Optional<TenantTree> tree =
                Ids.valid(id) ? Optional.ofNullable(configuration.tenants().get(new TenantId(id))) : Optional.empty();
        return tree.filter(found -> sees(action, found.tenant().id()));
    }

    /** Whether the caller may do {@code action} to objects of {@code owner}; null means the platform. */
    boolean sees(Action action, TenantId owner) {
        boolean may = Authorizer.may(principal(), action, owner);
        if (!may) {
            LOG.warn(
                    "request {}: {} ({}) may not {} of {}",
                    caller.requestId(),
                    principal().name(),
                    principal().role(),
                    action,
                    owner);
        }
        return may;
    }

    /** All tenants in sight, by id. */
    List<TenantTree> tenants() {
        return configuration.tenants().values().stream()
                .filter(tree -> Authorizer.may(
                        principal(), Action.READ_TENANT, tree.tenant().id()))
                .sorted(Comparator.comparing(tree -> tree.tenant().id()))
                .toList();
    }
}
