package io.sluice.tenants.fault;

import java.util.Comparator;
import java.util.List;

/**
 * The fault rules of one tenant, those that end last first: whoever looks for running ones may stop at the first that is over.
 */
public record CompiledFaults(List<CompiledFaultRule> rules) {
    private static final Comparator<CompiledFaultRule> LATEST_END_FIRST =
            Comparator.comparingLong(CompiledFaultRule::endsAtMs).reversed().thenComparing(CompiledFaultRule::id);

    /** Orders {@code rules}. */
    public CompiledFaults {
        rules = rules.stream().sorted(LATEST_END_FIRST).toList();
    }

    /** The fault of the rule {@code id}, which must be one of these. */
    public Fault fault(String id) {
        return rules.stream()
                .filter(rule -> rule.id().equals(id))
                .findFirst()
                .orElseThrow()
                .fault();
    }
}
