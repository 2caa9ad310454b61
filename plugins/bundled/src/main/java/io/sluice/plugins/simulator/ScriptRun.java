package io.sluice.plugins.simulator;

import java.util.SplittableRandom;

/** A script from the moment it was set: counts the calls and draws the random numbers that its faults ask for. On one loop. */
final class ScriptRun {
    private final SimulatorScript script;
    private final long sinceMs;
    private final SplittableRandom random;
    private long calls;

    ScriptRun(SimulatorScript script, long nowMs) {
        this.script = script;
        this.sinceMs = nowMs;
        this.random = new SplittableRandom(script.seed());
    }

    SimulatorScript script() {
        return script;
    }

    /** The fault of the next call; null where it goes well. */
    Fault nextFault(String model, long nowMs) {
        calls++;
        Fault striking = null;
        for (Fault fault : script.faults()) {
            // Drawn for every fault, so that one call's outcome does not shift the numbers of the next.
            double drawn = random.nextDouble();
            if (striking == null && fault.strikes(model, calls, nowMs - sinceMs, drawn)) {
                striking = fault;
            }
        }
        return striking;
    }
}
