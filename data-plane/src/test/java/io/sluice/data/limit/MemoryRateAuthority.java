package io.sluice.data.limit;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** The authority of nodes in one test, by the rules of the real one. Thread-safe. */
final class MemoryRateAuthority {
    private record Held(long share, long held, long atMs) {}

    private final Map<String, Map<String, Held>> limits = new HashMap<>();
    private final LongSupplier clockMs;
    private boolean away;

    MemoryRateAuthority(LongSupplier clockMs) {
        this.clockMs = clockMs;
    }

    synchronized void away(boolean now) {
        away = now;
    }

    RateAuthority of(String node) {
        return asks -> settle(node, asks);
    }

    private synchronized Future<List<RateAuthority.Share>> settle(String node, List<RateAuthority.Ask> asks) {
        if (away) {
            return Future.failedFuture("away");
        }
        List<RateAuthority.Share> shares = new ArrayList<>();
        for (RateAuthority.Ask ask : asks) {
            Map<String, Held> nodes = limits.computeIfAbsent(ask.key(), made -> new HashMap<>());
            nodes.remove(node);
            nodes.values().removeIf(each -> clockMs.getAsLong() - each.atMs() > RateAuthority.FORGOTTEN_MS);
            long others = nodes.values().stream().mapToLong(Held::share).sum();
            long share = Math.max(ask.held(), Math.min(ask.want(), ask.limit() - others));
            nodes.put(node, new Held(share, ask.held(), clockMs.getAsLong()));
            shares.add(new RateAuthority.Share(
                    share, nodes.values().stream().mapToLong(Held::held).sum() - ask.held()));
        }
        return Future.succeededFuture(shares);
    }
}
