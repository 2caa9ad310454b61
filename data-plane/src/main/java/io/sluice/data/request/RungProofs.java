package io.sluice.data.request;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.message.BusMessage.RungProven;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells on {@link Address#RUNGS_PROVEN} which rungs answered: by callers' requests once in ten minutes for each rung and node, and on every
 * day, for who wants to know the day of the last proof needs no more. Rungs take turns within the ten minutes. One hash look-up per request.
 * Thread-safe and bounded.
 */
public final class RungProofs {
    /** Beyond this all are forgotten: rungs that still answer are told of once more. */
    private static final int RUNGS_MAX = 100_000;

    private final Bus bus;
    private final Map<Rung, Long> toldInTurn = new ConcurrentHashMap<>();

    private record Rung(TenantId tenant, String scenario, String step) {}

    public RungProofs(Bus bus) {
        this.bus = bus;
    }

    /** A rung answered a caller. */
    void earnest(TenantId tenant, String scenario, String step, Instant at) {
        Rung rung = new Rung(tenant, scenario, step);
        long turn = Told.turn(rung.hashCode(), at);
        Long told = toldInTurn.get(rung);
        if (told != null && told == turn) {
            return;
        }
        if (toldInTurn.size() >= RUNGS_MAX) {
            toldInTurn.clear();
        }
        Long before = toldInTurn.put(rung, turn);
        if (before == null || before != turn) {
            bus.publish(Address.RUNGS_PROVEN, new RungProven(tenant, scenario, step, at, "EARNEST"));
        }
    }

    /** A rung answered when its ladder was verified. */
    void verified(TenantId tenant, String scenario, String step, Instant at) {
        bus.publish(Address.RUNGS_PROVEN, new RungProven(tenant, scenario, step, at, "VERIFY"));
    }
}
