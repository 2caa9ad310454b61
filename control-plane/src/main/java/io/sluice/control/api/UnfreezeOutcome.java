package io.sluice.control.api;

import io.sluice.tenants.config.UserError;
import java.util.List;

/**
 * What came of it.
 *
 * @param period of the cap that grants again, such as {@code 2026-03-01}; null where there were errors: then nothing was changed
 */
public record UnfreezeOutcome(String period, List<UserError> errors) {
    public UnfreezeOutcome {
        errors = List.copyOf(errors);
    }
}
