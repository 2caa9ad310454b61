package io.sluice.tenants.routing;

import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.routing.StartInput.ActiveSwitch;
import io.sluice.tenants.routing.StartInput.RunningDrill;
import io.sluice.tenants.routing.StartInput.RunningShift;
import java.util.List;

/**
 * Says at which rung a request starts (requirements C4, C5). Of several switches the lowest rung counts. Of several drills the
 * first by id that takes the request counts; only READ requests are drilled, and none that a switch has already sent further
 * down than the drill would. A shift of traffic takes READ requests that no switch sends as far down and no drill takes (requirement F4).
 */
public final class StartDecider {
    private StartDecider() {}

    /** The start; null means at the first rung, as usual. {@code input} null means that nothing could change that. */
    public static Start decide(StartInput input, RequestKind kind) {
        if (input == null) {
            return null;
        }
        ActiveSwitch lowest = null;
        for (ActiveSwitch each : input.switches()) {
            if (input.atMs() < each.untilMs() && (lowest == null || each.rung() > lowest.rung())) {
                lowest = each;
            }
        }
        int rung = lowest == null ? 0 : lowest.rung();
        RunningDrill drill = kind.mayDescend() ? drill(input, rung) : null;
        RunningShift shift = kind.mayDescend() && drill == null ? shift(input.shift(), rung) : null;
        if (lowest == null && drill == null && shift == null) {
            return null;
        }
        return new Start(rung, lowest == null ? null : lowest.id(), drill, false, shift);
    }

    private static RunningShift shift(RunningShift shift, int switchRung) {
        return shift != null && shift.rung() > switchRung && shift.takes() ? shift : null;
    }

    private static RunningDrill drill(StartInput input, int switchRung) {
        for (RunningDrill each : input.drills()) {
            if (each.rung() >= switchRung && each.takes(input.atMs())) {
                return each;
            }
        }
        return null;
    }

    /**
     * Where a trace falls in [0, 1) for one drill, or one shift: always at the same place in the same one, and evenly spread also where
     * callers count their trace ids up. Independent between drills.
     *
     * @param traceId 32 hex digits
     * @param drillId or any other name of what draws
     */
    public static double unit(String traceId, String drillId) {
        long z = Long.parseUnsignedLong(traceId, 0, 16, 16) * 0x9E3779B97F4A7C15L
                + Long.parseUnsignedLong(traceId, 16, 32, 16)
                + (long) drillId.hashCode() * 0xBF58476D1CE4E5B9L;
        // The finalizer of splitmix64 (Sebastiano Vigna, public domain): every input bit moves every output bit.
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return ((z ^ (z >>> 31)) >>> 11) * 0x1.0p-53;
    }

    /** What could change the start of a request; null where nothing does. */
    static StartInput input(long atMs, List<ActiveSwitch> switches, List<RunningDrill> drills) {
        List<ActiveSwitch> on =
                switches.stream().filter(each -> atMs < each.untilMs()).toList();
        return on.isEmpty() && drills.isEmpty() ? null : new StartInput(atMs, on, drills);
    }
}
