package io.sluice.graphql;

import io.sluice.control.api.Action;
import io.sluice.control.api.Authorizer;
import io.sluice.control.api.Principal;

/**
 * The right that a field needs. It looks at the role only; whose object it is, is looked at where the object is found.
 *
 * @param action null means that any proven principal may read the field
 */
record Rule(Action action) {
    /** For what every proven principal may see. */
    static final Rule ANY_PRINCIPAL = new Rule(null);

    boolean allows(Principal principal) {
        return action == null || Authorizer.allows(principal.role(), action);
    }
}
