package io.sluice.ops.redis;

import static io.sluice.ops.redis.LedgerNode.await;
import static io.sluice.ops.redis.LedgerNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.ledger.EpochOverException;
import io.sluice.control.ledger.LedgerStore.Changes;
import io.sluice.control.ledger.LedgerStore.Epoch;
import io.sluice.control.ledger.LedgerStore.Saved;
import io.sluice.tenants.ledger.AccountDecider;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderState;
import io.sluice.tenants.ledger.HolderTotals;
import io.sluice.tenants.ledger.KeptAccount;
import io.sluice.tenants.ledger.SharedAccounts.Write;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Redis does to epochs and saves when it fails, and what the store makes of it. */
class RedisLedgerStoreIT {
    private static final Instant OPENS = Instant.parse("2026-03-28T00:00:00Z");
    private static final Duration ANSWER_MAX = Duration.ofMillis(800);

    @TempDir
    Path directory;

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void end() throws Exception {
        await(vertx.close());
    }

    private RedisLedgerStore open(int replicas, RedisServer... servers) throws Exception {
        List<String> endpoints =
                List.of(servers).stream().map(RedisServer::endpoint).toList();
        return LedgerNode.store(
                vertx, new RedisSettings(endpoints, Optional.empty(), Optional.empty(), replicas, ANSWER_MAX));
    }

    private static AccountKey account(int number) {
        return AccountKey.ofKey("acme|2026-03-28|cap-" + number);
    }

    private static AccountState capped(int number, long limitMicros) {
        return capped(account(number), limitMicros);
    }

    private static AccountState capped(AccountKey account, long limitMicros) {
        AuthorityCommand cap =
                new AuthorityCommand.SetCap(account, 1, limitMicros, OPENS, OPENS.plus(Duration.ofDays(1)));
        return AccountDecider.decide(null, cap, OPENS).next();
    }

    private static Saved save(RedisLedgerStore store, Epoch epoch, long revision, AccountState state) throws Exception {
        return await(store.save(epoch, List.of(new Write(revision, state)))).get(state.account());
    }

    /** A replica of a busy machine may take longer than a save waits for it. */
    private static <T> T whenConfirmed(Supplier<Future<T>> ask) throws Exception {
        List<T> done = new ArrayList<>();
        eventually(() -> ask.get()
                .onSuccess(done::add)
                .transform(any -> Future.succeededFuture(any.succeeded()))
                .await());
        return done.get(0);
    }

    private static Throwable failure(Future<?> future) throws Exception {
        await(future.otherwiseEmpty());
        return future.cause();
    }

    @Test
    void anotherRunOfRedisIsOneNewEpochForAllNodes() throws Exception {
        try (RedisServer redis = RedisServer.start(directory)) {
            RedisLedgerStore one = open(0, redis);
            RedisLedgerStore two = open(0, redis);
            Epoch first = await(one.begin("node-1", Epoch.NONE, 1_000));
            assertThat(await(two.begin("node-2", Epoch.NONE, 2_000)).is(first)).isTrue();
            redis.kill();
            redis.start();
            eventually(() -> one.begin("node-1", first, 3_000)
                    .transform(done -> Future.succeededFuture(done.succeeded()))
                    .await());

            Epoch next = await(two.begin("node-2", first, 4_000));

            assertThat(next).isEqualTo(await(one.begin("node-1", first, 5_000)));
            assertThat(next.number()).isEqualTo(3_000);
            assertThat(next.members()).containsExactlyInAnyOrder("node-1", "node-2");
        }
    }

    @Test
    void nothingIsSavedInAnotherRunBeforeItsEpochHasBegun() throws Exception {
        try (RedisServer redis = RedisServer.start(directory)) {
            RedisLedgerStore store = open(0, redis);
            Epoch epoch = await(store.begin("node-1", Epoch.NONE, 1_000));
            save(store, epoch, KeptAccount.NEVER, capped(1, 500));
            redis.kill();
            redis.start();
            eventually(() -> store.find(List.of(account(1)))
                    .transform(done -> Future.succeededFuture(done.succeeded()))
                    .await());

            Future<?> late = store.save(epoch, List.of(new Write(1, capped(1, 900))));

            assertThat(failure(late)).isInstanceOf(EpochOverException.class);
            assertThat(failure(store.changes(epoch, 0, any -> 0))).isInstanceOf(EpochOverException.class);
            assertThat(await(store.find(List.of(account(1)))).get(0).state()).isEqualTo(capped(1, 500));
        }
    }

    @Test
    void aPromotedReplicaIsANewEpoch() throws Exception {
        Path second = Files.createDirectory(directory.resolve("replica"));
        try (RedisServer primary = RedisServer.start(directory);
                RedisServer replica = RedisServer.replicaOf(primary, second)) {
            RedisLedgerStore store = open(1, primary, replica);
            Epoch epoch = whenConfirmed(() -> store.begin("node-1", Epoch.NONE, 1_000));
            whenConfirmed(() -> store.save(epoch, List.of(new Write(KeptAccount.NEVER, capped(1, 500)))));
            primary.kill();
            replica.ask("REPLICAOF", "NO", "ONE");
            RedisLedgerStore alone = open(0, replica);

            assertThat(failure(alone.save(epoch, List.of(new Write(1, capped(1, 900))))))
                    .isInstanceOf(EpochOverException.class);
            assertThat(await(alone.begin("node-1", epoch, 2_000)).number()).isEqualTo(2_000);
            assertThat(await(alone.find(List.of(account(1)))).get(0).state()).isEqualTo(capped(1, 500));
        }
    }

    @Test
    void aPrimaryThatWasAReplicaForAWhileIsANewEpochThoughItNeverStopped() throws Exception {
        Path second = Files.createDirectory(directory.resolve("other"));
        try (RedisServer one = RedisServer.start(directory);
                RedisServer other = RedisServer.start(second)) {
            RedisLedgerStore store = open(0, one);
            Epoch epoch = await(store.begin("node-1", Epoch.NONE, 1_000));
            one.ask("REPLICAOF", "127.0.0.1", String.valueOf(other.port()));
            one.await("INFO", "master_link_status:up");
            one.ask("REPLICAOF", "NO", "ONE");
            RedisLedgerStore again = open(0, one);

            assertThat(await(again.begin("node-1", epoch, 2_000)).number()).isEqualTo(2_000);
        }
    }

    @Test
    void whatNoReplicaConfirmsIsNotKept() throws Exception {
        Path second = Files.createDirectory(directory.resolve("replica"));
        try (RedisServer primary = RedisServer.start(directory);
                RedisServer replica = RedisServer.replicaOf(primary, second)) {
            RedisLedgerStore store = open(1, primary, replica);
            Epoch epoch = whenConfirmed(() -> store.begin("node-1", Epoch.NONE, 1_000));
            replica.pause();

            assertThatThrownBy(() -> save(store, epoch, KeptAccount.NEVER, capped(1, 500)))
                    .hasRootCauseInstanceOf(RedisAwayException.class);

            replica.resume();
        }
    }

    @Test
    void aNodeHearsWhatOthersSavedAndOfClosedAccountsNothing() throws Exception {
        try (RedisServer redis = RedisServer.start(directory)) {
            RedisLedgerStore one = open(0, redis);
            RedisLedgerStore two = open(0, redis);
            Epoch epoch = await(one.begin("node-1", Epoch.NONE, 1_000));
            save(one, epoch, KeptAccount.NEVER, capped(1, 500));
            Changes before = await(two.changes(epoch, 0, any -> KeptAccount.NEVER));
            save(one, epoch, KeptAccount.NEVER, capped(2, 700));
            AccountState closed = AccountDecider.decide(
                            capped(1, 500), new AuthorityCommand.Close(account(1)), OPENS.plus(Duration.ofDays(2)))
                    .next();
            save(one, epoch, before.upTo(), closed);

            Changes after = await(two.changes(epoch, before.upTo(), any -> KeptAccount.NEVER));

            assertThat(after.accounts()).extracting(KeptAccount::state).containsExactly(capped(2, 700));
            assertThat(await(two.changes(epoch, after.upTo(), any -> KeptAccount.NEVER))
                            .accounts())
                    .isEmpty();
        }
    }

    /** CL07: Redis computes in doubles, and no script may make one of what it is given. */
    @Test
    void numbersThatNoDoubleHoldsComeBackAsTheyWereReadOrFromAScript() throws Exception {
        long odd = (1L << 53) + 1;
        assertThat(odd).isEqualTo(9007199254740993L);
        Holder holder = new Holder("9007199254740993", 1_234_567_890_123_456_789L);
        HolderState part = new HolderState(odd, 1, odd - 2, 3, 5, 7, false, HolderTotals.LAST, odd, odd, OPENS);
        AccountState state = new AccountState(
                AccountKey.ofKey("acme|2026-03-28|1234567890123456789"),
                1,
                true,
                odd,
                OPENS,
                OPENS.plus(Duration.ofDays(1)),
                odd,
                Set.of(),
                false,
                -odd,
                odd,
                Set.of("9223372036854775807"),
                new TreeMap<>(Map.of(holder, part)));
        try (RedisServer redis = RedisServer.start(directory)) {
            RedisLedgerStore one = open(0, redis);
            RedisLedgerStore two = open(0, redis);
            Epoch epoch = await(one.begin("node-1", Epoch.NONE, 1_000));
            assertThat(save(one, epoch, KeptAccount.NEVER, state)).isInstanceOf(Saved.Kept.class);

            Saved told = save(two, epoch, KeptAccount.NEVER, capped(state.account(), 500));

            assertThat(told)
                    .isInstanceOfSatisfying(
                            Saved.Overtaken.class,
                            overtaken -> assertThat(overtaken.present().state()).isEqualTo(state));
            assertThat(await(two.find(List.of(state.account()))).get(0).state()).isEqualTo(state);
            assertThat(await(two.changes(epoch, 0, any -> KeptAccount.NEVER)).accounts())
                    .extracting(KeptAccount::state)
                    .containsExactly(state);
        }
    }

    @Test
    void aThousandIdleAccountsCostALookOneCommand() throws Exception {
        try (RedisServer redis = RedisServer.start(directory)) {
            RedisLedgerStore store = open(0, redis);
            Epoch epoch = await(store.begin("node-1", Epoch.NONE, 1_000));
            for (int from = 0; from < 1_000; from += 100) {
                await(store.save(
                        epoch,
                        IntStream.range(from, from + 100)
                                .mapToObj(number -> new Write(KeptAccount.NEVER, capped(number, 500)))
                                .toList()));
            }
            Changes all = await(store.changes(epoch, 0, any -> KeptAccount.NEVER));
            assertThat(all.accounts()).hasSize(1_000);
            long before = commands(redis);

            for (int look = 0; look < 10; look++) {
                assertThat(await(store.changes(epoch, all.upTo(), any -> KeptAccount.NEVER))
                                .accounts())
                        .isEmpty();
            }

            // A look is one script of a few steps; the link says that it is there meanwhile, too.
            assertThat(commands(redis) - before).isLessThan(100);
        }
    }

    private static long commands(RedisServer redis) throws Exception {
        return redis.ask("INFO", "stats")
                .lines()
                .filter(line -> line.startsWith("total_commands_processed:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aNodeThatLeftIsNoMemberOfTheNextEpoch() throws Exception {
        try (RedisServer redis = RedisServer.start(directory)) {
            RedisLedgerStore one = open(0, redis);
            RedisLedgerStore two = open(0, redis);
            await(one.begin("node-1", Epoch.NONE, 1_000));
            await(two.begin("node-2", Epoch.NONE, 1_000));
            await(two.close());

            assertThat(await(one.begin("node-1", new Epoch(5_000, "lost", Set.of()), 1_000))
                            .members())
                    .containsExactly("node-1");
        }
    }

    @Test
    void aNodeThatSpendsNothingIsNoMemberOfTheNextEpoch() throws Exception {
        try (RedisServer redis = RedisServer.start(directory)) {
            RedisLedgerStore spending = open(0, redis);
            RedisLedgerStore controlling = open(0, redis);
            await(spending.begin("node-1", Epoch.NONE, 1_000));
            await(controlling.begin(null, Epoch.NONE, 1_000));

            Epoch next = await(controlling.begin(null, new Epoch(5_000, "lost", Set.of()), 1_000));

            assertThat(next.members()).containsExactly("node-1");
            assertThat(await(spending.begin("node-1", Epoch.NONE, 1_000)).is(next))
                    .isTrue();
            await(controlling.close());
            assertThat(redis.ask("HKEYS", "ledger:nodes")).contains("node-1");
        }
    }

    @Test
    void anAccountThatManyLivesHadPartsOfStaysSmall() {
        AccountState state = capped(1, AccountState.MICROS_MAX);
        for (int life = 1; life <= 100; life++) {
            Holder holder = new Holder("sluice-node-" + life % 3, 1_700_000_000_000L + life);
            HolderTotals last = new HolderTotals(HolderTotals.LAST, 9, 123_456_789, 23_456_789, 99_999_999, 0);
            state = AccountDecider.decide(
                            state, new AuthorityCommand.Finish(account(1), holder, 0, last), OPENS.plusSeconds(life))
                    .next();
        }
        String text = LedgerText.of(state);
        assertThat(LedgerText.read(account(1), text)).isEqualTo(state);
        assertThat(text.length()).isLessThan(16_000);
    }
}
