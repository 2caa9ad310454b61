package io.sluice.control.spend;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.GrowingSum;
import io.sluice.tenants.ledger.SpendKey;
import io.sluice.tenants.ledger.SpendSum;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sums of several shipments, added up by all that they are told apart by. Of one thread. */
final class WaitingSums {
    private final Map<TenantId, OfTenant> tenants = new HashMap<>();
    private int count;

    /** What one node told of a quarter of an hour. */
    record Teller(long quarter, String node) {}

    /** Of one teller, all sums together. */
    record Told(Teller teller, long costMicros, long requests) {}

    /** One tenant's, in no order. */
    record Taken(TenantId tenant, List<SpendSum> sums, List<Told> told) {}

    private static final class OfTenant {
        private final Map<SpendKey, GrowingSum> sums = new HashMap<>(4);
        private final Map<Teller, GrowingSum> told = new HashMap<>(2);

        Taken taken(TenantId tenant) {
            List<SpendSum> all = new ArrayList<>(sums.size());
            sums.forEach((key, total) -> all.add(total.of(key)));
            List<Told> tellers = new ArrayList<>(told.size());
            told.forEach((teller, total) -> tellers.add(new Told(teller, total.costMicros(), total.requests())));
            return new Taken(tenant, all, tellers);
        }
    }

    void add(String node, SpendSum sum) {
        OfTenant of = tenants.computeIfAbsent(sum.key().tenant(), first -> new OfTenant());
        int before = of.sums.size();
        of.sums.computeIfAbsent(sum.key(), first -> new GrowingSum()).add(sum);
        of.told
                .computeIfAbsent(new Teller(sum.key().quarter(), node), first -> new GrowingSum())
                .add(sum);
        count += of.sums.size() - before;
    }

    /** How many different ones there are. */
    int count() {
        return count;
    }

    /** All of one tenant, which are gone from here then; null where there are none. */
    Taken take(TenantId tenant) {
        OfTenant of = tenants.remove(tenant);
        if (of == null) {
            return null;
        }
        count -= of.sums.size();
        return of.taken(tenant);
    }

    /** Everything, tenant by tenant in the order of their rows, which is gone from here then. */
    List<Taken> takeAll() {
        List<Taken> all = new ArrayList<>(tenants.size());
        tenants.forEach((tenant, of) -> all.add(of.taken(tenant)));
        all.sort(Comparator.comparing(taken -> taken.tenant().value()));
        tenants.clear();
        count = 0;
        return all;
    }
}
