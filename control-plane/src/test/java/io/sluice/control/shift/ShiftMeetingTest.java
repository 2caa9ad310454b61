package io.sluice.control.shift;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.shift.PublishedShifts;
import io.sluice.tenants.shift.ScenarioShift;
import io.sluice.tenants.shift.ShiftPhase;
import io.sluice.tenants.shift.ShiftState;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Three nodes that each moved one scenario for a while without the others, as both sides of a split network do, and then see each other
 * again. Simulated time; a failure names its seed.
 */
class ShiftMeetingTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final int NODES = 3;

    /** A third of all messages is lost. */
    private static final int LOSSY_SECONDS = 20;

    /** As often as an owner tells everything. */
    private static final int SECONDS = LOSSY_SECONDS + 6;

    /** What a node's controller and its requests know. */
    private static final class Node {
        private final ShiftWorld world = new ShiftWorld(ShiftSettings.DEFAULT);
        private PublishedShifts requests = PublishedShifts.NONE;

        private void hear(ScenarioShift shift) {
            world.book.published(shift);
            requests = requests.plus(List.of(shift));
        }

        private ShiftState ofRequests() {
            ShiftState state = requests.of(ShiftWorld.ACME, "chat");
            return state == null ? ShiftState.fresh(0) : state;
        }
    }

    private static ShiftState anyState(SplittableRandom random) {
        ShiftPhase phase =
                List.of(ShiftPhase.OFF, ShiftPhase.SHIFTING, ShiftPhase.RESTING).get(random.nextInt(3));
        return ShiftState.fresh(NOW + random.nextInt(3))
                .withSubstitute("second")
                .moved(phase, phase == ShiftPhase.SHIFTING ? random.nextInt(5) : 0, "drawn", NOW);
    }

    private static void second(List<Node> nodes, int second, SplittableRandom random) {
        List<ScenarioShift> told = new ArrayList<>();
        for (Node node : nodes) {
            node.world.pass(1);
            told.addAll(node.world.book.answers());
            if (second % 5 == 0) {
                told.addAll(node.world.book.told());
            }
        }
        for (ScenarioShift shift : told) {
            for (Node node : nodes) {
                if (shift.scenario().equals(ShiftWorld.CHAT) && (second >= LOSSY_SECONDS || random.nextInt(3) > 0)) {
                    node.hear(shift);
                }
            }
        }
    }

    @Test
    void allNodesComeToKnowTheSameStateWhateverEachSideDidBefore() {
        for (long seed = 1; seed <= 500; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Node> nodes = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                Node node = new Node();
                node.world.mine = key -> false;
                node.hear(new ScenarioShift(ShiftWorld.CHAT, anyState(random)));
                nodes.add(node);
            }
            Node owner = nodes.get(random.nextInt(NODES));
            owner.world.mine = key -> true;
            double highest = nodes.stream()
                    .mapToDouble(node -> node.ofRequests().share())
                    .max()
                    .orElseThrow();

            for (int second = 0; second < SECONDS; second++) {
                second(nodes, second, random);
                assertThat(owner.world.state().share())
                        .as("share, seed %d", seed)
                        .isLessThanOrEqualTo(highest);
            }

            for (Node node : nodes) {
                assertThat(node.ofRequests().share())
                        .as("share of requests, seed %d", seed)
                        .isEqualTo(owner.world.state().share());
                assertThat(node.world.state()).as("seed %d", seed).isEqualTo(owner.world.state());
            }
        }
    }

    @Test
    void whoKnowsTheSameSaysNothing() {
        Node node = new Node();
        node.world.mine = key -> false;
        ScenarioShift shift = new ScenarioShift(ShiftWorld.CHAT, anyState(new SplittableRandom(1)));
        node.hear(shift);
        node.hear(shift);
        assertThat(node.world.book.answers()).isEmpty();
    }

    @Test
    void aStateThatNobodyWasToldOfGivesWayToWhatAnotherMoved() {
        Node node = new Node();
        node.world.pass(1);
        ShiftState older = ShiftState.fresh(NOW - 60_000)
                .withSubstitute("second")
                .moved(ShiftPhase.SHIFTING, 2, "by a clock that is behind", NOW);
        node.hear(new ScenarioShift(ShiftWorld.CHAT, older));
        assertThat(node.world.state().share()).isEqualTo(0.10);
        assertThat(node.world.book.answers()).isEmpty();
    }
}
