package io.sluice.tenants.ledger;

import io.sluice.tenants.money.TokenUsage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sums up what requests cost by all that finance tells spend apart by, so that what follows costs by the number of sums and not of
 * requests. Exact to the micro-unit. Not thread-safe.
 */
public final class SpendTally {
    private final Map<SpendKey, Sum> sums = new HashMap<>();
    private final ChargePack.Maker charges = new ChargePack.Maker();
    private int requests;

    private static final class Sum {
        private long requests;
        private long calls;
        private long input;
        private long cachedInput;
        private long cacheWrite;
        private long output;
        private long reasoning;
        private long serverToolCalls;
        private long costMicros;
        private long unpriced;

        void add(SpendFacts.Charge charge, boolean last) {
            TokenUsage usage = charge.usage();
            requests += last ? 1 : 0;
            calls++;
            input += usage.input();
            cachedInput += usage.cachedInput();
            cacheWrite += usage.cacheWrite();
            output += usage.output();
            reasoning += usage.reasoning();
            serverToolCalls += usage.serverToolCalls();
            if (charge.cost() == null) {
                unpriced++;
            } else {
                costMicros = Math.addExact(costMicros, charge.cost().micros());
            }
        }

        SpendSum of(SpendKey key) {
            return new SpendSum(
                    key,
                    requests,
                    calls,
                    input,
                    cachedInput,
                    cacheWrite,
                    output,
                    reasoning,
                    serverToolCalls,
                    costMicros,
                    unpriced);
        }
    }

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
            sums.computeIfAbsent(SpendKey.of(facts, charge), first -> new Sum()).add(charge, i == last);
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
