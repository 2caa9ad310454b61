package io.sluice.control.api;

import io.sluice.tenants.config.UserError;
import io.sluice.tenants.message.RungCheck;
import io.sluice.tenants.money.Money;
import java.util.List;

/**
 * What came of verifying a ladder.
 *
 * @param checks one for each target and each static rung, in the order of the ladder
 * @param errors why nothing was called; empty where something was
 */
public record LadderVerdict(List<RungCheck> checks, List<UserError> errors) {
    public LadderVerdict {
        checks = List.copyOf(checks);
        errors = List.copyOf(errors);
    }

    /** Whether every rung answered; a cache rung does not count, since before there are requests it has nothing to say. */
    public boolean ok() {
        return errors.isEmpty()
                && checks.stream().allMatch(check -> check.ok() || check.kind().equals("cache"));
    }

    /** Of all calls together; null where a price is missing or nothing was charged. */
    public Money cost() {
        Money sum = null;
        for (RungCheck check : checks) {
            if (check.ok() && check.provider() != null && check.cost() == null) {
                return null;
            }
            if (check.cost() != null) {
                sum = sum == null ? check.cost() : sum.plus(check.cost());
            }
        }
        return sum;
    }
}
