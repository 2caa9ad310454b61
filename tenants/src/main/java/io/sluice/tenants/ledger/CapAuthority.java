package io.sluice.tenants.ledger;

import java.util.concurrent.CompletionStage;

/** Port to the authority over caps: in this process, or a store that the nodes of a cluster share. Thread-safe. */
public interface CapAuthority {
    /**
     * Applies {@code command} durably and answers. The stage fails where nobody answered in time: then the command may have been
     * applied, and is sent again as it is.
     */
    CompletionStage<AuthorityAnswer> ask(AuthorityCommand command);
}
