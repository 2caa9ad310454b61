package io.sluice.data.money;

import io.sluice.data.money.LedgerSimulation.World;
import org.junit.jupiter.api.Test;

/** The invariants of {@link LedgerSimulationPropertyTest} where there is no one authority, but one store that nodes share. */
class LedgerOverOneStorePropertyTest {
    @Test
    void theInvariantsHoldAlsoWhereNodesDecideEachForItselfOverOneStore() {
        new LedgerSeeds(getClass()).assertInvariantsHold(World::onSharedStore);
    }
}
