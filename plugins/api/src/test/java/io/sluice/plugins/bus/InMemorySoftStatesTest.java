package io.sluice.plugins.bus;

class InMemorySoftStatesTest extends SoftStatesContract {
    private final SoftStates states = new SoftStates.InMemory();

    @Override
    protected SoftStates states() {
        return states;
    }
}
