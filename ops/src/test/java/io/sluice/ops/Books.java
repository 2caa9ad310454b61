package io.sluice.ops;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.function.Predicate;

/**
 * What a tenant has spent; amounts in micro-units of its currency.
 *
 * @param requests that are in the books
 * @param costMicros of these
 * @param spentMicros under the cap, with what crashes burned
 * @param heldMicros under the cap, by requests in flight
 */
record Books(int requests, long costMicros, long spentMicros, long heldMicros) {
    /** Waits until nothing is held, and so many requests or more are in the books, whichever node is asked. */
    static Books settled(ClusterProcesses cluster, int size, String tenant, long requests) throws Exception {
        return settled(cluster, size, tenant, requests, books -> true);
    }

    /**
     * Likewise where no node crashed: waits until the cap and what the nodes ship, which count by themselves, say the same, so that nothing
     * is on its way.
     */
    static Books agreed(ClusterProcesses cluster, int size, String tenant, long requests) throws Exception {
        return settled(cluster, size, tenant, requests, books -> books.spentMicros == books.costMicros);
    }

    private static Books settled(
            ClusterProcesses cluster, int size, String tenant, long requests, Predicate<Books> whole) throws Exception {
        Books[] last = new Books[1];
        for (int i = 0; i < size; i++) {
            Admin admin = cluster.admin(i);
            String what = "the books of " + tenant + " with " + requests + " at node " + i;
            try {
                ClusterProcesses.eventually(what, () -> {
                    last[0] = read(admin, tenant);
                    return last[0].heldMicros == 0 && last[0].requests >= requests && whole.test(last[0]);
                });
            } catch (AssertionError never) {
                throw new AssertionError(what + ": at last " + last[0], never);
            }
        }
        return last[0];
    }

    /** The books of a tenant with one cap, which {@link BillingProvider} made. */
    private static Books read(Admin admin, String tenant) throws Exception {
        JsonNode cap = admin.ask("{ tenant(id: \"" + tenant + "\") { spendCaps { spent held } } }")
                .at("/tenant/spendCaps/0");
        JsonNode spend = spend(admin, tenant);
        return new Books(
                spend.at("/rows/0/requests").asInt(),
                BillingProvider.micros(spend.get("total")),
                BillingProvider.micros(cap.get("spent")),
                BillingProvider.micros(cap.get("held")));
    }

    private static JsonNode spend(Admin admin, String tenant) throws Exception {
        LocalDate today = LocalDate.now(ZoneId.of("Europe/Berlin"));
        return admin.ask("{ spend(tenantId: \"" + tenant + "\", from: \"" + today.minusDays(1) + "\", to: \""
                        + today.plusDays(1) + "\", groupBy: []) { total rows { requests } } }")
                .get("spend");
    }
}
