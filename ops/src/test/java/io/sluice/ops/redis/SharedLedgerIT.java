package io.sluice.ops.redis;

import static io.sluice.ops.redis.LedgerNode.await;
import static io.sluice.ops.redis.LedgerNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.money.Hold;
import io.sluice.data.money.Reservation;
import io.sluice.data.money.Shortfall;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityAnswer.Outcome;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.CapPeriod;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes that share a ledger on Redis: nobody spends what another one was granted, whatever Redis does. */
class SharedLedgerIT {
    private static final String UTC = "UTC";
    private static final Duration ANSWER_MAX = Duration.ofMillis(800);

    @TempDir
    Path directory;

    private final List<AutoCloseable> started = new ArrayList<>();
    private volatile Configuration configuration = LedgerCaps.of(CapPeriod.MONTH, UTC, 1, "1");
    private final AccountKey month = LedgerCaps.account(CapPeriod.MONTH, UTC, Instant.now());

    @AfterEach
    void end() throws Exception {
        for (int i = started.size() - 1; i >= 0; i--) {
            started.get(i).close();
        }
    }

    private <T extends AutoCloseable> T closed(T one) {
        started.add(one);
        return one;
    }

    private RedisServer redis() throws Exception {
        return closed(RedisServer.start(directory));
    }

    private static RedisSettings settings(int replicas, RedisServer... servers) {
        return new RedisSettings(
                List.of(servers).stream().map(RedisServer::endpoint).toList(),
                Optional.empty(),
                Optional.empty(),
                replicas,
                ANSWER_MAX);
    }

    private LedgerNode authority(int number, RedisSettings settings) throws Exception {
        return closed(LedgerNode.authority("node-" + number, settings, () -> configuration));
    }

    private LedgerNode whole(int number, RedisSettings settings) throws Exception {
        return closed(LedgerNode.whole("node-" + number, settings, () -> configuration));
    }

    /** Reserves until it is given something; a node that has just found its Redis may refuse before. */
    private Hold reserved(LedgerNode node, String id, long micros) throws InterruptedException {
        Reservation[] last = new Reservation[1];
        eventually(() -> {
            try {
                last[0] = node.reserve(id, month, micros);
                return last[0] instanceof Hold;
            } catch (Exception broken) {
                throw new AssertionError(broken);
            }
        });
        return (Hold) last[0];
    }

    private static boolean granted(LedgerClient client, long micros) {
        try {
            return client.draw(micros).outcome() == Outcome.GRANTED;
        } catch (Exception notYet) {
            return false;
        }
    }

    /** A node hears of an epoch within its next look. */
    private static boolean reconciled(LedgerClient client, long epoch) {
        try {
            return client.reconcile(epoch) == Outcome.DONE;
        } catch (Exception notYet) {
            return false;
        }
    }

    @Test
    void fourNodesAtOnceAreGrantedTheCapExactlyAndEachQuestionOneAnswer() throws Exception {
        RedisSettings settings = settings(0, redis());
        ExecutorService threads = Executors.newFixedThreadPool(4);
        started.add(threads::shutdownNow);
        List<Callable<Long>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            LedgerClient client = new LedgerClient(authority(i, settings), month);
            SplittableRandom random = new SplittableRandom(i);
            callers.add(() -> untilNothingIsLeft(client, random));
        }
        long sum = 0;
        for (var granted : threads.invokeAll(callers, 120, TimeUnit.SECONDS)) {
            sum += granted.get();
        }
        assertThat(sum).isEqualTo(1_000_000);
    }

    private static long untilNothingIsLeft(LedgerClient client, SplittableRandom random) throws Exception {
        assertThat(client.draw(1_000).outcome()).isEqualTo(Outcome.GRANTED);
        while (true) {
            AuthorityCommand.Grant question = client.next(1 + random.nextLong(5_000));
            AuthorityAnswer answer = client.ask(question);
            if (random.nextInt(3) == 0) {
                AuthorityAnswer again = client.ask(question);
                assertThat(again.outcome()).isEqualTo(answer.outcome());
                assertThat(again.micros()).isEqualTo(answer.micros());
            }
            client.take(answer);
            if (answer.outcome() == Outcome.DENIED) {
                return client.grantedMicros();
            }
            assertThat(answer.outcome()).isEqualTo(Outcome.GRANTED);
        }
    }

    @Test
    void aNodeIsToldHowAccountsStandThatOthersSpendFrom() throws Exception {
        RedisSettings settings = settings(0, redis());
        LedgerClient client = new LedgerClient(authority(1, settings), month);
        LedgerNode other = authority(2, settings);
        client.draw(5_000);
        other.told(month, each -> each.committedMicros() == 5_000);
        configuration = LedgerCaps.of(CapPeriod.MONTH, UTC, 2, "0");
        assertThat(other.told(month, each -> each.limitMicros() == 0).availableMicros())
                .isEqualTo(-5_000);
    }

    @Test
    void whatNoReplicaHasIsNotAnsweredAsGrantedNotEvenWhenItIsAskedAgain() throws Exception {
        RedisServer primary = redis();
        RedisServer replica =
                closed(RedisServer.replicaOf(primary, Files.createDirectory(directory.resolve("replica"))));
        LedgerNode node = authority(1, settings(1, primary));
        LedgerClient client = new LedgerClient(node, month);
        eventually(() -> granted(client, 1_000));
        replica.pause();
        AuthorityCommand.Grant question = client.next(1_000);
        for (int i = 0; i < 20; i++) {
            Future<AuthorityAnswer> answer = node.ask(question);
            await(answer.otherwiseEmpty());
            assertThat(answer.failed()).isTrue();
            Thread.sleep(50);
        }
        replica.resume();
        eventually(() -> {
            try {
                return client.ask(question).micros() == 1_000;
            } catch (Exception notYet) {
                return false;
            }
        });
    }

    @Test
    void afterAFailoverThatLostGrantsNothingIsGrantedBeforeTheirHoldersSaidSo() throws Exception {
        RedisServer primary = redis();
        RedisServer replica =
                closed(RedisServer.replicaOf(primary, Files.createDirectory(directory.resolve("replica"))));
        // No replica has to confirm, so that a promoted one can lack what was granted.
        RedisSettings settings = settings(0, primary, replica);
        LedgerClient one = new LedgerClient(authority(1, settings), month);
        LedgerClient two = new LedgerClient(authority(2, settings), month);
        assertThat(one.draw(100_000).micros()).isEqualTo(100_000);
        assertThat(two.draw(100_000).micros()).isEqualTo(100_000);
        eventually(() -> offset(primary).equals(offset(replica)));
        replica.pause();
        assertThat(one.draw(700_000).micros()).isEqualTo(700_000);
        primary.kill();
        replica.resume();
        replica.ask("REPLICAOF", "NO", "ONE");

        AuthorityAnswer[] answer = new AuthorityAnswer[1];
        eventually(() -> {
            try {
                answer[0] = two.draw(800_000);
                return answer[0].outcome() == Outcome.FROZEN;
            } catch (Exception notYet) {
                return false;
            }
        });
        assertThat(two.draw(800_000).outcome()).isEqualTo(Outcome.FROZEN);
        eventually(() -> reconciled(one, two.epoch()));

        AuthorityAnswer rest = two.draw(800_000);
        assertThat(rest.outcome()).isEqualTo(Outcome.GRANTED);
        assertThat(one.grantedMicros() + two.grantedMicros()).isEqualTo(1_000_000);
    }

    @Test
    void threeNodesUnderLoadOverspendNothingWhenThePrimaryDiesBesideAReplicaThatLags() throws Exception {
        RedisServer primary = redis();
        RedisServer replica =
                closed(RedisServer.replicaOf(primary, Files.createDirectory(directory.resolve("replica"))));
        RedisSettings settings = settings(1, primary, replica);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        started.add(threads::shutdownNow);
        AtomicLong spent = new AtomicLong();
        List<Future<Void>> spending = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            LedgerNode node = whole(i, settings);
            Promise<Void> done = Promise.promise();
            threads.execute(() -> spendAll(node, spent, done));
            spending.add(done.future());
        }
        eventually(() -> spent.get() > 200_000);
        replica.pause();
        Thread.sleep(500);
        primary.kill();
        replica.resume();
        replica.ask("REPLICAOF", "NO", "ONE");
        closed(RedisServer.replicaOf(replica, Files.createDirectory(directory.resolve("next"))));

        Future.all(spending).await(120, TimeUnit.SECONDS);

        assertThat(spent.get()).isBetween(500_000L, 1_000_000L);
    }

    /** Until it is told that the cap has no more; where nobody can say it tries again. */
    private void spendAll(LedgerNode node, AtomicLong spent, Promise<Void> done) {
        try {
            SplittableRandom random = new SplittableRandom(node.name().hashCode());
            for (int no = 0; ; no++) {
                long micros = 1_000 + random.nextLong(4_000);
                Reservation came = node.reserve("r" + no, month, micros);
                if (came instanceof Hold hold) {
                    hold.settle(micros, null);
                    spent.addAndGet(micros);
                } else if (!((Shortfall) came).unanswered()) {
                    done.complete();
                    return;
                }
                Thread.sleep(5);
            }
        } catch (Exception broken) {
            done.fail(broken);
        }
    }

    /** How far a primary has written, or a replica has read. */
    private static String offset(RedisServer server) {
        try {
            String info = server.ask("INFO", "replication");
            boolean replica = info.contains("role:slave");
            return RedisLink.field(info, replica ? "slave_repl_offset" : "master_repl_offset");
        } catch (Exception notYet) {
            return "";
        }
    }

    @Test
    void nodesReconcileByThemselvesAfterRedisWasStartedAgain() throws Exception {
        RedisServer redis = redis();
        RedisSettings settings = settings(0, redis);
        LedgerNode one = whole(1, settings);
        LedgerNode two = whole(2, settings);
        Hold first = reserved(one, "a", 1_000);
        reserved(two, "b", 1_000);
        redis.kill();
        redis.start();

        reserved(one, "c", 400_000);
        reserved(two, "d", 400_000);

        assertThat(two.reserve("e", month, 400_000)).isInstanceOf(Shortfall.class);
        first.settle(700, null);
        two.told(month, each -> each.spentMicros() == 700 && each.awaiting().isEmpty());
    }

    /** CL06. */
    @Test
    void whileRedisIsStoppedANodeSpendsWhatItHasAndAfterwardsItDrawsAgainWithoutARestart() throws Exception {
        RedisServer redis = redis();
        LedgerNode node = whole(1, settings(0, redis));
        reserved(node, "first", 1_000).settle(1_000, null);
        redis.kill();
        long admitted = 0;
        while (node.reserve("cut-" + admitted, month, 1_000) instanceof Hold hold) {
            hold.settle(1_000, null);
            admitted++;
        }
        assertThat(admitted).isLessThan(1_000);
        redis.start();
        long back = System.nanoTime();
        long[] took = new long[1];
        eventually(() -> {
            try {
                boolean there = node.reserve("back", month, 1_000) instanceof Hold;
                took[0] = System.nanoTime() - back;
                return there;
            } catch (Exception broken) {
                throw new AssertionError(broken);
            }
        });
        assertThat(Duration.ofNanos(took[0])).isLessThan(Duration.ofSeconds(20));
        long before = admitted + 1;
        assertThat(node.told(month, each -> each.spentMicros() == before * 1_000)
                        .burnedMicros())
                .isZero();
        assertThat(node.reserve("too much", month, 1_000_000)).isInstanceOf(Shortfall.class);
    }

    /** CL05. */
    @Test
    void aBurstAgainstAStuckRedisEndsAndTheNextRequestPasses() throws Exception {
        RedisServer redis = redis();
        LedgerNode node = authority(1, settings(0, redis));
        LedgerClient client = new LedgerClient(node, month);
        assertThat(client.draw(1_000).outcome()).isEqualTo(Outcome.GRANTED);
        redis.pause();
        List<Future<AuthorityAnswer>> burst = IntStream.range(0, 400)
                .mapToObj(i -> node.ask(client.next(1_000)))
                .toList();
        await(Future.join(burst).otherwiseEmpty());
        assertThat(burst).allMatch(Future::failed);
        redis.resume();
        eventually(() -> granted(client, 1_000));
    }

    /** L5: days that begin at 01:00. A day that a zone left out is in {@code LocalPeriodsTest}. */
    @ParameterizedTest
    @CsvSource({
        "Africa/Cairo,   2026-04-23T22:00:00Z",
        "America/Havana, 2026-03-08T05:00:00Z",
        "Asia/Beirut,    2026-03-28T22:00:00Z"
    })
    void aDayOfTwentyThreeHoursBeginsAndClosesForAllNodesByOneClock(String zone, Instant midnight) throws Exception {
        configuration = LedgerCaps.of(CapPeriod.DAY, zone, 1, "1");
        Instant[] now = {midnight.minusSeconds(60)};
        RedisSettings settings = settings(0, redis());
        LedgerNode node = clocked(1, settings, Duration.ofMinutes(-30), () -> now[0]);
        LedgerNode other = clocked(2, settings, Duration.ofMinutes(30), () -> now[0]);
        AccountKey before = LedgerCaps.account(CapPeriod.DAY, zone, now[0]);
        AccountKey day = LedgerCaps.account(CapPeriod.DAY, zone, midnight);
        LedgerClient old = new LedgerClient(node, before);
        LedgerClient early = new LedgerClient(other, day);
        assertThat(old.draw(600_000).micros()).isEqualTo(600_000);
        assertThat(early.draw(900_000).outcome()).isEqualTo(Outcome.NOT_YET);

        now[0] = midnight.minusSeconds(1);
        LedgerClient fresh = new LedgerClient(other, day);
        eventually(() -> granted(fresh, 900_000));
        assertThat(fresh.grantedMicros()).isEqualTo(900_000);

        other.told(before, each -> each.committedMicros() == 600_000);
        now[0] = midnight.plus(Duration.ofMinutes(21));
        assertThat(other.told(before, CapFigures::closed).burnedMicros()).isEqualTo(600_000);
        assertThat(old.ask(old.next(1)).outcome()).isEqualTo(Outcome.CLOSED);

        now[0] = midnight.plus(Duration.ofHours(23)).plus(Duration.ofMinutes(20));
        assertThat(node.told(day, CapFigures::closed).burnedMicros()).isEqualTo(900_000);
    }

    /** One whose own clock is wrong. */
    private LedgerNode clocked(int number, RedisSettings settings, Duration wrong, InstantSource common)
            throws Exception {
        InstantSource own = () -> common.instant().plus(wrong);
        return closed(LedgerNode.authority("node-" + number, settings, () -> configuration, own, common));
    }

    @Test
    void aNodeThatLeftByPlanIsNotWaitedForAfterALoss() throws Exception {
        RedisServer redis = redis();
        RedisSettings settings = settings(0, redis);
        LedgerNode one = whole(1, settings);
        LedgerNode two = whole(2, settings);
        reserved(one, "a", 1_000);
        reserved(two, "b", 1_000).settle(500, null);
        two.leave();
        redis.kill();
        redis.start();
        reserved(one, "c", 400_000);
        one.told(month, each -> each.spentMicros() == 500 && each.awaiting().isEmpty());
    }
}
