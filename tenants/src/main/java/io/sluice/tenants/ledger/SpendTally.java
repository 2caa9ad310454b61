package io.sluice.tenants.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sums up what requests cost by all that finance tells spend apart by, so that what follows costs by the number of sums and not of
 * requests. Exact to the micro-unit. Not thread-safe.
 */
public final class SpendTally {
    private final Map<SpendKey, GrowingSum> sums = new HashMap<>();
    private final ChargePack.Maker charges = new ChargePack.Maker();
    private int requests;

    /**
     * Adds one request; one without charges is none of finance's.
     *
     * @param seq of its line in the journal, larger than that of the request before
     */
    public void add(long seq, SpendFacts facts) {
        int last = facts.charges().size() - 1;
        if (last < 0) {
            return;
        }
        for (int i = 0; i <= last; i++) {
            SpendFacts.Charge charge = facts.charges().get(i);
            sums.computeIfAbsent(SpendKey.of(facts, charge), first -> new GrowingSum())
                    .add(charge, i == last);
        }
        charges.add(seq, facts);
        requests++;
    }

    /** How many were added. */
    public int requests() {
        return requests;
    }

    /** One per key, in no order. */
    public List<SpendSum> sums() {
        List<SpendSum> all = new ArrayList<>(sums.size());
        sums.forEach((key, sum) -> all.add(sum.of(key)));
        return all;
    }

    /** All requests one by one. */
    public ChargePack charges() {
        return charges.pack();
    }
}
