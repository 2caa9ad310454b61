package io.sluice.ops;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The provider's bill beside what Sluice recorded of the same calls, call by call.
 *
 * @param droppedMicros billed for calls whose connection broke before a byte of the answer came: nobody here can know that they were
 *     answered, and by the written rule they are free
 * @param differences every other billed call that has another price in its record, or none, and what the record says of it
 */
record BillCheck(long droppedMicros, List<String> differences) {
    /** Asks for the record of each call of the bill, where bill and books are not the same. */
    static BillCheck of(Admin admin, String tenant, BillingProvider provider, Books books) throws Exception {
        long dropped = 0;
        List<String> differences = new ArrayList<>();
        if (books.costMicros() == provider.billMicros()) {
            return new BillCheck(dropped, differences);
        }
        Map<String, JsonNode> known = new HashMap<>();
        for (BillingProvider.Charge charge : provider.bill()) {
            if (!known.containsKey(charge.traceId())) {
                known.put(charge.traceId(), record(admin, tenant, charge.traceId()));
            }
            JsonNode record = known.get(charge.traceId());
            JsonNode attempt = record.at("/attempts/" + (charge.attempt() - 1));
            long knownMicros = attempt.path("cost").isValueNode() ? BillingProvider.micros(attempt.get("cost")) : 0;
            if (knownMicros == charge.micros()) {
                continue;
            }
            if (attempt.path("failure").asText().equals("NETWORK")
                    && attempt.path("upstreamStatus").asInt() == 0) {
                dropped += charge.micros();
            } else {
                differences.add(charge + ": " + record.path("outcome").asText() + ", " + attempt);
            }
        }
        return new BillCheck(dropped, differences);
    }

    private static JsonNode record(Admin admin, String tenant, String traceId) throws Exception {
        String query = "{ decision(traceId: \"" + traceId + "\", tenantId: \"" + tenant + "\") { record } }";
        JsonNode[] reply = new JsonNode[1];
        ClusterProcesses.eventually("all nodes look for decision " + traceId, () -> {
            reply[0] = admin.reply(query, Map.of());
            return !reply[0].has("errors");
        });
        return reply[0].at("/data/decision/record");
    }
}
