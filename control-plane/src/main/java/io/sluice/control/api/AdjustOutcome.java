package io.sluice.control.api;

import io.sluice.tenants.config.UserError;
import java.util.List;

/**
 * What came of a correction.
 *
 * @param entry null where there were errors: then nothing was changed
 */
public record AdjustOutcome(SpendStatements.Entry entry, List<UserError> errors) {
    public AdjustOutcome {
        errors = List.copyOf(errors);
    }
}
