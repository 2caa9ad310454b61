package io.sluice.tenants.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.money.Money;

/**
 * How one call of one target of a rung ended when its ladder was verified, or what a static rung had to say.
 *
 * @param kind pool, cache, rules or text
 * @param provider null for a static rung
 * @param model null for a static rung
 * @param ok whether it answered; a static rung that has nothing to say did not
 * @param ms from the start of the call to its end; 0 where none was made
 * @param failure null where it works, and where the time was over before its turn
 * @param detail for operators: what the upstream said, why there was no call, or what a static rung answers; may be null
 * @param cost null where the model has no price or nothing was charged
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RungCheck(
        String step,
        String kind,
        String provider,
        String model,
        boolean ok,
        double ms,
        FailureClass failure,
        String detail,
        Money cost) {}
