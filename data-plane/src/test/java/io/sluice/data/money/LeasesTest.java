package io.sluice.data.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How slices come and go between nodes and an authority that answers at once. */
class LeasesTest {
    private static final AccountKey CAP = Direct.account("cap");

    private final Direct ledger = new Direct();

    @Test
    void theFirstRequestOfANodeGetsWhatItNeeds() {
        ledger.cap("cap", 10_000);
        Direct.Node node = ledger.node("one");
        assertThat(node.reserve("r", 700, CAP)).isInstanceOf(Hold.class);
        assertThat(ledger.state("cap").committedMicros()).isEqualTo(700);
    }

    @Test
    void laterRequestsAreServedFromASliceDrawnAhead() {
        ledger.cap("cap", 1_000_000);
        Direct.Node node = ledger.node("one");
        for (int i = 0; i < 50; i++) {
            node.reserve("r" + i, 100, CAP);
        }
        long grants = node.sent.stream()
                .filter(AuthorityCommand.Grant.class::isInstance)
                .count();
        assertThat(grants).isLessThan(15);
    }

    @Test
    void aCapOfZeroRefusesEverything() {
        ledger.cap("cap", 0);
        assertThat(ledger.node("one").reserve("r", 0, CAP)).isEqualTo(new Shortfall(CAP, 1));
    }

    /** Cap of ten slices, 64 clients: refusals begin only when less is left than a request may cost. */
    @Test
    void nearTheCapAllOfItCanBeUsed() {
        ledger.cap("cap", 1_000_000);
        Direct.Node node = ledger.node("one");
        SplittableRandom random = new SplittableRandom(7);
        Deque<Hold> running = new ArrayDeque<>();
        int refusedInARow = 0;
        for (int i = 0; refusedInARow < 64; i++) {
            long estimate = 1_000L + random.nextInt(4_000);
            if (running.size() == 64 || (refusedInARow > 0 && !running.isEmpty())) {
                running.poll().settle(random.nextInt(1_000), null);
            }
            Reservation reserved = node.reserve("r" + i, estimate, CAP);
            if (reserved instanceof Hold hold) {
                running.add(hold);
                refusedInARow = 0;
            } else {
                long left = ledger.state("cap").availableMicros() + node.purse.freeMicros(CAP);
                assertThat(left)
                        .as("left when a request of %d was refused", estimate)
                        .isLessThan(estimate);
                refusedInARow++;
            }
        }
        running.forEach(hold -> hold.settle(0, null));
        assertThat(node.purse.settledMicros(CAP)).isGreaterThan(990_000);
    }

    @Test
    void whatOneNodeDoesNotUseAnotherOneCanNearTheCap() {
        ledger.cap("cap", 10_000);
        Direct.Node one = ledger.node("one");
        Direct.Node two = ledger.node("two");
        ((Hold) one.reserve("r", 6_000, CAP)).settle(1_000, null);
        two.reserve("s", 2_000, CAP);
        assertThat(two.reserve("t", 6_000, CAP)).isInstanceOf(Shortfall.class);
        ledger.publish();
        ledger.pass(Duration.ofSeconds(1));
        assertThat(two.reserve("u", 6_000, CAP)).isInstanceOf(Hold.class);
    }

    /** Requests that leave before, while and after they are served leave nothing behind. */
    @Test
    void nothingIsHeldASecondAfterTheLastRequest() {
        ledger.cap("cap", 100_000_000);
        Direct.Node node = ledger.node("one");
        SplittableRandom random = new SplittableRandom(3);
        List<Hold> running = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            node.reservations.reserve("r" + i, List.of(CAP), 1_000).onSuccess(reserved -> running.add((Hold) reserved));
            if (random.nextBoolean()) {
                end(running.remove(random.nextInt(running.size())), random);
            }
        }
        running.forEach(hold -> end(hold, random));
        ledger.pass(Duration.ofSeconds(1));
        assertThat(node.purse.inFlight()).isZero();
        assertThat(node.purse.heldMicros(CAP)).isZero();
        assertThat(ledger.state("cap").heldMicros()).isZero();
        assertThat(ledger.state("cap").spentMicros()).isEqualTo(node.purse.settledMicros(CAP));
    }

    private static void end(Hold hold, SplittableRandom random) {
        switch (random.nextInt(3)) {
            case 0 -> hold.release();
            case 1 -> hold.settle(random.nextInt(1_000), null);
            default -> hold.settle(1_000, null);
        }
    }

    @Test
    void anIdleSliceGoesBack() {
        ledger.cap("cap", 1_000_000);
        Direct.Node node = ledger.node("one");
        ((Hold) node.reserve("r", 700, CAP)).settle(100, null);
        ledger.pass(Duration.ofSeconds(1));
        ledger.pass(Duration.ofSeconds(61));
        assertThat(node.purse.freeMicros(CAP)).isZero();
        assertThat(ledger.state("cap").committedMicros()).isEqualTo(100);
    }

    @Test
    void aCapThatIsLoweredTakesBackWhatIsFree() {
        ledger.cap("cap", 1_000_000);
        Direct.Node node = ledger.node("one");
        ((Hold) node.reserve("r", 10_000, CAP)).settle(100, null);
        ledger.cap("cap", 0);
        ledger.publish();
        assertThat(node.purse.freeMicros(CAP)).isZero();
        assertThat(node.reserve("s", 1, CAP)).isInstanceOf(Shortfall.class);
    }

    @Test
    void aCapThatIsRaisedAdmitsAgain() {
        ledger.cap("cap", 100);
        Direct.Node node = ledger.node("one");
        node.reserve("r", 101, CAP);
        ledger.cap("cap", 1_000);
        assertThat(node.reserve("s", 101, CAP)).isInstanceOf(Hold.class);
    }

    @Test
    void aNodeThatLeavesGivesEverythingBack() {
        ledger.cap("cap", 1_000_000);
        Direct.Node node = ledger.node("one");
        Hold hold = (Hold) node.reserve("r", 10_000, CAP);
        node.leases.drain();
        ledger.settleDown();
        assertThat(node.leases.drained()).isFalse();
        hold.settle(100, null);
        ledger.pass(Duration.ofSeconds(1));
        ledger.pass(Duration.ofSeconds(1));
        assertThat(node.leases.drained()).isTrue();
        assertThat(ledger.state("cap").committedMicros()).isEqualTo(100);
        assertThat(ledger.state("cap").burnedMicros()).isZero();
    }

    @Test
    void aNodeThatLeavesDrawsNothing() {
        ledger.cap("cap", 1_000_000);
        Direct.Node node = ledger.node("one");
        node.leases.drain();
        assertThat(node.reserve("r", 10_000, CAP)).isInstanceOf(Shortfall.class);
    }

    @Test
    void moneyThatCanNotBeWrittenDownIsNotSpent() {
        ledger.cap("cap", 1_000_000);
        Direct.Node node = ledger.node("one");
        node.journal.fail();
        assertThat(node.reserve("r", 700, CAP)).isEqualTo(new Shortfall(CAP, 700, true));
        assertThat(node.purse.freeMicros(CAP)).isZero();
        assertThat(node.purse.stopped()).contains("written down");
    }

    @Test
    void aNodeThatCouldNotWriteOnceTakesNoMoneyEvenWhereItHasSome() {
        ledger.cap("cap", 1_000_000);
        Direct.Node node = ledger.node("one");
        Hold hold = (Hold) node.reserve("r", 700, CAP);
        node.reserve("s", 700, CAP);
        node.journal.fail();
        hold.settle(100, null);
        assertThat(node.reserve("t", 1, CAP)).isInstanceOf(Shortfall.class);
    }

    @Test
    void aRequestWaitsNoLongerThanARefillMayTake() {
        ledger.cap("cap", 1_000_000);
        Direct.Node node = ledger.node("one");
        node.cutOff = true;
        var reserved = node.reservations.reserve("r", List.of(CAP), 700);
        assertThat(reserved.isComplete()).isFalse();
        ledger.pass(LeaseSettings.DEFAULT.refillMax());
        assertThat(reserved.result()).isEqualTo(new Shortfall(CAP, 700, true));
    }

    /** A node that has just begun, and a balancer that gives it everything that it has kept. */
    @Test
    void aCrowdThatComesAtOnceIsServedByFewGrants() {
        ledger.cap("cap", 10_000_000);
        Direct.Node node = ledger.node("one");
        node.reserve("first", 100, CAP);
        node.sent.clear();
        List<Future<Reservation>> crowd = node.crowd(500, 100, CAP);
        ledger.settleDown();
        assertThat(crowd).allMatch(each -> each.result() instanceof Hold);
        long grants = node.sent.stream()
                .filter(AuthorityCommand.Grant.class::isInstance)
                .count();
        assertThat(grants).isLessThanOrEqualTo(5);
    }

    /**
     * Nodes that have all just begun on one machine: the authority takes its time, and requests come meanwhile. The first has three
     * answers to wait for: which epoch it is, that its word was heard, and the money.
     */
    @ParameterizedTest
    @ValueSource(longs = {20, 300, 900})
    void aNodeThatBeginsUnderLoadServesAllHoweverLongAnAnswerTakes(long answersAfterMs) {
        ledger.cap("cap", 1_000_000_000);
        ledger.answersAfter(Duration.ofMillis(answersAfterMs));
        Direct.Node node = ledger.node("one");
        List<Reservation> came = new ArrayList<>();
        int asked = 0;
        for (int step = 0; step < 400; step++) {
            for (Future<Reservation> each : node.crowd(5, 200, CAP)) {
                asked++;
                each.onSuccess(reserved -> {
                    came.add(reserved);
                    if (reserved instanceof Hold hold) {
                        hold.settle(200, null);
                    }
                });
            }
            if (step % 20 == 19) {
                ledger.pass(Duration.ofMillis(50));
            } else {
                ledger.passSome(Duration.ofMillis(50));
            }
        }
        ledger.pass(Duration.ofSeconds(3));
        ledger.pass(Duration.ofSeconds(3));
        assertThat(came).hasSize(asked).allMatch(Hold.class::isInstance);
    }

    @Test
    void whereTheAuthorityIsAwayLaterRequestsDoNotWaitAsLongAsTheFirst() {
        ledger.cap("cap", 1_000_000);
        Direct.Node node = ledger.node("one");
        node.cutOff = true;
        Future<Reservation> first = node.reservations.reserve("first", List.of(CAP), 700);
        ledger.pass(LeaseSettings.DEFAULT.refillMax().minusMillis(1));
        assertThat(first.isComplete()).isFalse();
        ledger.pass(Duration.ofMillis(1));
        Future<Reservation> later = node.reservations.reserve("later", List.of(CAP), 700);
        ledger.pass(LeaseSettings.DEFAULT.silentMax());

        assertThat(first.result()).isEqualTo(new Shortfall(CAP, 700, true));
        assertThat(later.result()).isEqualTo(new Shortfall(CAP, 700, true));
        node.cutOff = false;
        assertThat(node.reserve("again", 700, CAP)).isNull();
        ledger.pass(LeaseSettings.DEFAULT.resendAfter());
        assertThat(node.reserve("then", 700, CAP)).isInstanceOf(Hold.class);
    }

    @Test
    void aCrowdGetsOfACapWhatThereIsAndTheRestHearsThatItIsUsedUp() {
        ledger.cap("cap", 10_000);
        Direct.Node node = ledger.node("one");
        List<Future<Reservation>> crowd = node.crowd(500, 100, CAP);
        ledger.settleDown();
        assertThat(crowd).filteredOn(each -> each.result() instanceof Hold).hasSize(100);
        assertThat(crowd)
                .filteredOn(each -> !(each.result() instanceof Hold))
                .allMatch(each -> each.result().equals(new Shortfall(CAP, 100)));
    }

    @Test
    void whoseMoneyOthersTakeEachTimeIsNotToldThatTheCapIsUsedUp() {
        ledger.cap("cap", 10_000_000);
        Direct.Node node = ledger.node("one");
        Reservations unlucky = new Reservations(node.purse, missing -> Future.succeededFuture(Refilled.CAME));
        assertThat(unlucky.reserve("r", List.of(CAP), 700).result()).isEqualTo(new Shortfall(CAP, 700, true));
    }

    @Test
    void raisingDrawsWhatIsMissing() {
        ledger.cap("cap", 10_000);
        Direct.Node node = ledger.node("one");
        Hold hold = (Hold) node.reserve("r", 700, CAP);
        assertThat(node.reservations.raise(hold, 5_000).result()).isSameAs(hold);
        assertThat(hold.heldMicros()).isEqualTo(5_700);
    }

    @Test
    void aPeriodThatIsOverIsGivenUpTenMinutesLater() {
        ledger.cap("cap", 10_000);
        Direct.Node node = ledger.node("one");
        ((Hold) node.reserve("r", 700, CAP)).settle(300, null);
        ledger.publish();
        ledger.pass(Duration.ofHours(12).plusMinutes(10));
        ledger.pass(Duration.ofSeconds(1));
        assertThat(ledger.state("cap").openHolders()).isEmpty();
        ledger.publish();
        assertThat(ledger.state("cap").closed()).isTrue();
        assertThat(ledger.state("cap").spentMicros()).isEqualTo(300);
    }
}
