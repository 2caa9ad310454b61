package io.sluice.data.request;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.message.BusMessage.KeyUsed;
import io.sluice.tenants.routing.CompiledKey;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells the control plane which keys are used, on {@link Address#KEY_USES}: once a minute for each key and node, for who wants
 * to know the day of a key's last use needs no more. One hash look-up per request. Thread-safe and bounded.
 */
public final class KeyUses {
    private static final long MINUTE_S = 60;

    /** Beyond this all are forgotten: keys that are still used are told of once more in their minute. */
    private static final int KEYS_MAX = 100_000;

    private final Bus bus;
    private final Map<String, Long> toldInMinute = new ConcurrentHashMap<>();

    public KeyUses(Bus bus) {
        this.bus = bus;
    }

    /** A key was proven. */
    void used(CompiledKey key, Instant at) {
        long minute = at.getEpochSecond() / MINUTE_S;
        Long told = toldInMinute.get(key.id());
        if (told == null || told != minute) {
            tell(key, at, minute);
        }
    }

    private void tell(CompiledKey key, Instant at, long minute) {
        if (toldInMinute.size() >= KEYS_MAX) {
            toldInMinute.clear();
        }
        Long before = toldInMinute.put(key.id(), minute);
        if (before == null || before != minute) {
            bus.send(Address.KEY_USES, new KeyUsed(key.tenant(), key.id(), at));
        }
    }
}
