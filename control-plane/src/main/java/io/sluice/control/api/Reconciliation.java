package io.sluice.control.api;

import io.sluice.tenants.money.Money;
import java.time.LocalDate;
import java.util.List;

/**
 * Whether those who count a tenant's money on a day agree: the journals of the nodes, the day cap of the tenant, and the statement.
 *
 * @param journals what nodes have shipped of that day, late usage among it
 * @param nodes the same by node, the dearest first
 * @param cap null where no cap of the tenant counted that day
 * @param statement what was closed, with late usage and without corrections; null where the day is not closed
 * @param corrections of finance, as the statement has them
 * @param difference what the cap counts as spent, without corrections, less {@code journals}; null where there is no cap
 * @param balanced whether there is no difference anywhere
 * @param explanations what leads, or may lead, to differences, in words
 */
public record Reconciliation(
        LocalDate day,
        String currency,
        Money journals,
        List<NodeTotal> nodes,
        CapTotal cap,
        Money statement,
        Money corrections,
        Money difference,
        boolean balanced,
        List<String> explanations) {
    public Reconciliation {
        nodes = List.copyOf(nodes);
        explanations = List.copyOf(explanations);
    }

    /**
     * What one node has shipped.
     *
     * @param node null for what was shipped to a release that did not keep who told it
     */
    public record NodeTotal(String node, Money cost, long requests) {}

    /**
     * What the tenant's day cap counts.
     *
     * @param spent without corrections
     * @param held by requests in flight
     * @param burned lost with nodes that crashed; counts as spent
     * @param corrected by finance
     * @param closed whether it only changes by corrections
     */
    public record CapTotal(String capId, Money spent, Money held, Money burned, Money corrected, boolean closed) {}
}
