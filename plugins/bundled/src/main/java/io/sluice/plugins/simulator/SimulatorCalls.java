package io.sluice.plugins.simulator;

/**
 * What a simulator has seen since it started.
 *
 * @param calls chat calls whose body arrived
 * @param cancelled calls whose caller left before the end of the answer
 * @param concurrent calls being answered now
 * @param concurrentMax most calls answered at the same time
 */
public record SimulatorCalls(long calls, long cancelled, long concurrent, long concurrentMax) {
    static final SimulatorCalls NONE = new SimulatorCalls(0, 0, 0, 0);

    SimulatorCalls begun() {
        return new SimulatorCalls(calls + 1, cancelled, concurrent + 1, Math.max(concurrentMax, concurrent + 1));
    }

    SimulatorCalls ended(boolean byCaller) {
        return new SimulatorCalls(calls, cancelled + (byCaller ? 1 : 0), concurrent - 1, concurrentMax);
    }
}
