package io.sluice.control.api;

import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.UserError;
import java.util.List;

/**
 * What came of a command.
 *
 * @param errors every mistake found; nothing was changed where there is one
 * @param configuration after the command; the present one where nothing was changed
 * @param objectId of what was made or changed, such as a key's id; null where there were errors
 * @param secret the key or token just made, shown only here; null otherwise
 * @param changes what changed, or would change in a dry run
 */
public record CommandOutcome(
        List<UserError> errors,
        Configuration configuration,
        String objectId,
        String secret,
        List<ConfigChange> changes) {
    public CommandOutcome {
        errors = List.copyOf(errors);
        changes = List.copyOf(changes);
    }

    @Override
    public String toString() {
        return "CommandOutcome[epoch=" + configuration.epoch() + ", errors=" + errors + ", object=" + objectId + "]";
    }
}
