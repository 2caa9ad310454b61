package io.sluice.data.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AuthorityCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Many nodes and many caps whose day ends at one instant. */
class MidnightTest {
    private static final Instant MIDNIGHT = Direct.OPENS.plus(Duration.ofDays(1));
    private static final int NODES = 10;
    private static final int CAPS = 20;
    private static final long ESTIMATE = 1_000;

    private final Direct ledger = new Direct();
    private final List<Direct.Node> nodes = new ArrayList<>();

    private static AccountKey today(int cap) {
        return Direct.account("cap-" + cap);
    }

    private static AccountKey tomorrow(int cap) {
        return new AccountKey(
                today(cap).tenant(), today(cap).capId(), today(cap).period().next());
    }

    private void begin() {
        for (int cap = 0; cap < CAPS; cap++) {
            ledger.cap("cap-" + cap, 100_000_000);
        }
        for (int i = 0; i < NODES; i++) {
            nodes.add(ledger.node("node-" + i));
        }
    }

    /** All nodes use caps {@code from} to {@code to}. */
    private void use(int from, int to) {
        for (Direct.Node node : nodes) {
            for (int cap = from; cap < to; cap++) {
                ((Hold) node.reserve(ledger.now() + "-" + cap, ESTIMATE, today(cap))).settle(100, null);
            }
        }
        ledger.publish();
        ledger.pass(Duration.ofSeconds(1));
    }

    private void passUntil(Instant end) {
        ledger.pass(Duration.between(ledger.now(), end));
    }

    private Set<AuthorityCommand> firsts() {
        Set<AuthorityCommand> firsts = new HashSet<>();
        nodes.forEach(node -> node.sent.stream()
                .filter(each -> each instanceof AuthorityCommand.Grant grant
                        && grant.seq() == 1
                        && grant.account().period().equals(tomorrow(0).period()))
                .forEach(firsts::add));
        return firsts;
    }

    /** Draws by second after midnight. */
    private Map<Long, Integer> overMidnight() {
        Map<Long, Integer> drawn = new TreeMap<>();
        int before = 0;
        for (long second = -40; second <= 45; second++) {
            passUntil(MIDNIGHT.plusSeconds(second));
            int now = firsts().size();
            if (now > before) {
                drawn.put(second, now - before);
            }
            before = now;
        }
        return drawn;
    }

    @Test
    void firstSlicesOfTheDayAreDrawnOneAfterAnother() {
        begin();
        passUntil(MIDNIGHT.minusSeconds(120));
        use(0, CAPS);
        Map<Long, Integer> drawn = overMidnight();

        assertThat(drawn.values().stream().mapToInt(each -> each).sum()).isEqualTo(NODES * CAPS);
        assertThat(drawn.keySet()).allMatch(second -> second >= -2 && second <= 30);
        // 200 draws over 32 s are 6 in a second; a herd would be 200.
        assertThat(drawn.values()).allMatch(each -> each <= 20);
    }

    @Test
    void whatIsDrawnIsGrantedOnceAndSpentWithoutAnotherQuestion() {
        begin();
        passUntil(MIDNIGHT.minusSeconds(120));
        use(0, CAPS);
        overMidnight();
        int asked = firsts().size();

        for (int cap = 0; cap < CAPS; cap++) {
            long free = 0;
            for (Direct.Node node : nodes) {
                assertThat(node.purse.freeMicros(tomorrow(cap))).isGreaterThanOrEqualTo(ESTIMATE);
                free += node.purse.freeMicros(tomorrow(cap));
            }
            assertThat(ledger.state(tomorrow(cap)).committedMicros()).isEqualTo(free);
            for (Direct.Node node : nodes) {
                assertThat(node.reserve("new-" + cap, ESTIMATE, tomorrow(cap))).isInstanceOf(Hold.class);
            }
        }
        assertThat(firsts()).hasSize(asked);
    }

    @Test
    void capsThatNobodyUsesAreNotDrawn() {
        begin();
        passUntil(MIDNIGHT.minus(Duration.ofHours(1)));
        use(0, CAPS);
        passUntil(MIDNIGHT.minusSeconds(60));
        use(0, 3);
        overMidnight();

        for (int cap = 0; cap < CAPS; cap++) {
            assertThat(ledger.state(tomorrow(cap)) != null).as("cap %d", cap).isEqualTo(cap < 3);
        }
    }

    @Test
    void aRequestThatIsThereBeforeDrawsAtOnceAndNothingIsDrawnAgain() {
        begin();
        passUntil(MIDNIGHT.minusSeconds(60));
        use(0, CAPS);
        passUntil(MIDNIGHT.minusSeconds(3));
        ledger.pass(Duration.ofSeconds(3));
        Set<AccountKey> ahead = new HashSet<>();
        firsts().forEach(each -> ahead.add(each.account()));
        for (Direct.Node node : nodes) {
            for (int cap = 0; cap < CAPS; cap++) {
                assertThat(node.reserve("first-" + cap, ESTIMATE, tomorrow(cap)))
                        .isInstanceOf(Hold.class);
            }
        }
        int asked = firsts().size();
        for (int second = 1; second < 45; second++) {
            passUntil(MIDNIGHT.plusSeconds(second));
        }

        assertThat(ahead).hasSizeLessThan(CAPS);
        assertThat(firsts()).hasSize(asked);
    }

    @Test
    void whatNobodySpendsGoesBackAMinuteLater() {
        begin();
        passUntil(MIDNIGHT.minusSeconds(60));
        use(0, CAPS);
        overMidnight();
        ledger.pass(Duration.ofSeconds(61));
        ledger.pass(Duration.ofSeconds(1));

        for (int cap = 0; cap < CAPS; cap++) {
            assertThat(ledger.state(tomorrow(cap)).committedMicros()).isZero();
        }
    }

    @Test
    void aNodeThatLeavesDrawsNothing() {
        begin();
        passUntil(MIDNIGHT.minusSeconds(60));
        use(0, CAPS);
        nodes.forEach(node -> node.leases.drain());
        overMidnight();

        assertThat(firsts()).isEmpty();
    }
}
