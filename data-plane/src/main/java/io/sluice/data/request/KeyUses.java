package io.sluice.data.request;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.message.BusMessage.KeyUsed;
import io.sluice.tenants.routing.CompiledKey;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells the control plane which keys are used, on {@link Address#KEY_USES}: once in ten minutes for each key and node, and on every day,
 * for who wants to know the day of a key's last use needs no more. Keys take turns within the ten minutes, so that thousands are not told
 * of at once. One hash look-up per request. Thread-safe and bounded.
 */
public final class KeyUses {
    /** Beyond this all are forgotten: keys that are still used are told of once more. */
    private static final int KEYS_MAX = 100_000;

    private final Bus bus;
    private final Map<String, Long> toldInTurn = new ConcurrentHashMap<>();

    public KeyUses(Bus bus) {
        this.bus = bus;
    }

    /** A key was proven. */
    void used(CompiledKey key, Instant at) {
        long turn = Told.turn(key.id().hashCode(), at);
        Long told = toldInTurn.get(key.id());
        if (told == null || told != turn) {
            tell(key, at, turn);
        }
    }

    private void tell(CompiledKey key, Instant at, long turn) {
        if (toldInTurn.size() >= KEYS_MAX) {
            toldInTurn.clear();
        }
        Long before = toldInTurn.put(key.id(), turn);
        if (before == null || before != turn) {
            bus.send(Address.KEY_USES, new KeyUsed(key.tenant(), key.id(), at));
        }
    }
}
