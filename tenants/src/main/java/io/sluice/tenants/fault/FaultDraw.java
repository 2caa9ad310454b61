package io.sluice.tenants.fault;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * What an attempt met of its tenant's fault rules.
 *
 * @param odds every rule that applied, in the order in which they were asked
 * @param struck id of the rule that struck; null where the attempt was spared
 * @param kind of its fault; null likewise
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FaultDraw(List<FaultOdds> odds, String struck, FaultKind kind) {
    public FaultDraw {
        odds = List.copyOf(odds);
    }
}
