package io.sluice.control.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.owner.MovableOwners;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.health.TargetWindow;
import io.sluice.tenants.message.BusMessage.PoolReported;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class OutgoingTest {
    private final Map<String, String> moving = new ConcurrentHashMap<>();
    private final MovableOwners owners = new MovableOwners("n1", moving);
    private final Outgoing outgoing = new Outgoing();

    private static PoolReported report(String pool, long usable, long unusable, TargetState state) {
        TargetWindow window = new TargetWindow(
                "t",
                usable,
                unusable == 0 ? Map.of() : Map.of(FailureClass.NETWORK, unusable),
                LatencyHistogram.EMPTY,
                LatencyHistogram.EMPTY,
                0,
                state,
                1);
        return new PoolReported(ScopedId.platform(pool), "n1", 0, List.of(window), 0);
    }

    private static PoolReported calm(String pool) {
        return report(pool, 5, 0, TargetState.SERVING);
    }

    private static PoolReported resting(String pool) {
        return report(pool, 0, 0, TargetState.SERVING);
    }

    @Test
    void aPoolAtRestIsToldOnceThenHardlyEver() {
        assertThat(outgoing.news(calm("a"), 0)).isTrue();
        assertThat(outgoing.news(resting("a"), 1_000)).isTrue();
        assertThat(outgoing.news(resting("a"), 2_000)).isFalse();
        assertThat(outgoing.news(resting("a"), 1_000 + Outgoing.REST_MS)).isTrue();
        assertThat(outgoing.news(resting("a"), 2_000 + Outgoing.REST_MS)).isFalse();
        assertThat(outgoing.news(calm("a"), 3_000 + Outgoing.REST_MS)).isTrue();
    }

    @Test
    void whatNobodyOwnsIsLeftOutAndNotKept() {
        moving.put(ScopedId.platform("b").key(), "n2");
        outgoing.add(calm("a"), 0);
        outgoing.add(calm("b"), 0);
        assertThat(outgoing.due(owners, Outgoing.CALM_MS)).containsOnlyKeys("n2");

        moving.put(ScopedId.platform("a").key(), "n2");

        assertThat(outgoing.due(owners, 2 * Outgoing.CALM_MS)).isEmpty();
    }

    @Test
    void anOpenBreakerIsNoRest() {
        PoolReported open = report("a", 0, 0, TargetState.EJECTED);
        assertThat(outgoing.news(open, 0)).isTrue();
        assertThat(outgoing.news(open, 1_000)).isTrue();
    }

    @Test
    void aThousandCalmPoolsAreOneMessageASecondForEachOwner() {
        int messages = 0;
        for (int i = 0; i < 1_000; i++) {
            moving.put("|p" + i, "n" + (2 + i % 2));
        }
        for (long now = 0; now < 10_000; now += 250) {
            for (int i = 0; i < 250; i++) {
                outgoing.add(calm("p" + (now / 250 % 4 * 250 + i)), now);
            }
            messages += outgoing.due(owners, now).size();
        }
        assertThat(messages).isBetween(14, 20);
    }

    @Test
    void troubleDoesNotWait() {
        moving.put("|a", "n2");
        outgoing.add(calm("a"), 0);
        assertThat(outgoing.due(owners, 250)).isEmpty();
        outgoing.add(report("a", 0, 1, TargetState.SERVING), 250);
        assertThat(outgoing.due(owners, 250).get("n2")).hasSize(2);
        assertThat(outgoing.due(owners, 2_000)).isEmpty();
    }

    @Test
    void theOwnerOfTheMomentGetsThem() {
        moving.put("|a", "n2");
        outgoing.add(calm("a"), 0);
        moving.put("|a", "n3");
        assertThat(outgoing.due(owners, 1_000)).containsOnlyKeys("n3");
    }
}
