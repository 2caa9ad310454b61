package io.sluice.tenants.fault;

import java.util.ArrayList;
import java.util.List;

/**
 * Says which fault strikes an attempt. Chance is a hash of trace id, number of the attempt and rule, so the same attempt meets
 * the same fault wherever and whenever it is decided, a repeat gets a draw of its own, and two rules do not share their luck.
 */
public final class FaultDecider {
    /** FNV-1a, 64 bits: offset and prime. */
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;

    private static final long FNV_PRIME = 0x100000001b3L;

    /** A double in [0, 1) holds 53 bits. */
    private static final int UNIT_BITS = 53;

    private FaultDecider() {}

    /** Whom an attempt asks, and for which scenario. */
    public record Attempt(String scenario, String pool, String provider, String model) {}

    /**
     * What attempt {@code n} of the request meets.
     *
     * @param nowMs when the attempt starts, since the epoch
     * @return null where no rule applies
     */
    public static FaultDraw draw(CompiledFaults faults, Attempt attempt, String traceId, int n, long nowMs) {
        List<FaultOdds> odds = null;
        for (CompiledFaultRule rule : faults.rules()) {
            if (rule.endsAtMs() <= nowMs) {
                break;
            }
            if (rule.applies(attempt, nowMs)) {
                odds = odds == null ? new ArrayList<>(2) : odds;
                odds.add(new FaultOdds(rule.id(), rule.share()));
            }
        }
        if (odds == null) {
            return null;
        }
        String struck = struck(odds, traceId, n);
        return new FaultDraw(
                odds, struck, struck == null ? null : faults.fault(struck).kind());
    }

    /** The first rule whose draw falls within its share; null where none does. */
    public static String struck(List<FaultOdds> odds, String traceId, int n) {
        for (FaultOdds each : odds) {
            if (unit(traceId, n, each.rule()) < each.share()) {
                return each.rule();
            }
        }
        return null;
    }

    /** 0 (included) to 1 (excluded), evenly spread. */
    static double unit(String traceId, int n, String rule) {
        long hash = fnv(fnv(FNV_OFFSET, traceId) ^ n, rule);
        // The finaliser of MurmurHash3: FNV alone spreads its last bytes badly over the high bits.
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        hash ^= hash >>> 33;
        return (hash >>> (Long.SIZE - UNIT_BITS)) * 0x1.0p-53;
    }

    private static long fnv(long seed, String text) {
        long hash = seed * FNV_PRIME;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return hash;
    }
}
