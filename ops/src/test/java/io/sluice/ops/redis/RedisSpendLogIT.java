package io.sluice.ops.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.api.SpendStatements;
import io.sluice.control.spend.SharedSpendStore;
import io.sluice.control.spend.SpendLog;
import io.sluice.control.spend.SpendLogContract;
import io.sluice.control.spend.SpendStore;
import io.sluice.control.spend.SpendStore.Span;
import io.sluice.control.spend.SqliteSpendStore;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisSpendLogIT extends SpendLogContract {
    private static final TenantId ACME = new TenantId("acme");
    private static final Span EVER = new Span(0, 4_102_444_800L);

    @TempDir
    Path directory;

    private Vertx vertx;
    private RedisServer redis;

    @BeforeEach
    void begin() throws Exception {
        vertx = Vertx.vertx();
        redis = RedisServer.start(directory);
    }

    @AfterEach
    void end() throws Exception {
        redis.close();
        vertx.close().await(10, TimeUnit.SECONDS);
    }

    @Override
    protected SpendLog open() throws Exception {
        return new RedisSpendLog(link(RedisSettings.at(redis.endpoint())));
    }

    private RedisLink link(RedisSettings settings) throws Exception {
        RedisLink link = RedisLink.open(vertx, settings, "spend");
        for (int i = 0; i < 1_000 && !link.up(); i++) {
            Thread.sleep(20);
        }
        return link;
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private SharedSpendStore node(String name, SpendLog log) {
        SqliteSpendStore copy = SqliteSpendStore.open(directory.resolve(name + ".db"), () -> NOW);
        return new SharedSpendStore(vertx, copy, log, into -> Future.failedFuture("alone"), name, () -> NOW);
    }

    private static Money total(SpendStore of) throws Exception {
        return done(of.total(ACME, EVER)).cost();
    }

    @Test
    void threeNodesAgreeAlthoughEverythingIsToldTwiceAndRedisIsKilled() throws Exception {
        List<SharedSpendStore> nodes = new ArrayList<>();
        for (String name : List.of("n1", "n2", "n3")) {
            nodes.add(node(name, open()));
            done(nodes.get(nodes.size() - 1).refresh());
        }
        for (int round = 0; round < 20; round++) {
            if (round == 10) {
                redis.kill();
                redis.start();
            }
            for (int i = 0; i < 3; i++) {
                SpendShipped shipped = shipped("n" + (i + 1), round).shipped();
                insist(nodes.get(i), shipped);
                insist(nodes.get((i + 1) % 3), shipped);
            }
        }
        SpendStore.Closing closing =
                new SpendStore.Closing(ACME, ZoneId.of("UTC"), "2026a", "USD", LocalDate.of(2026, 3, 4), NOW);
        assertThat(done(nodes.get(0).close(closing))).isEqualTo(2);
        done(nodes.get(1).adjust(adjusted("c").adjustment()));
        for (SharedSpendStore each : nodes) {
            done(each.refresh());
            assertThat(total(each)).isEqualTo(Money.of("60"));
            assertThat(each.behind()).isZero();
        }
        SpendStatements first = statements(nodes.get(0));
        assertThat(first.verified()).as(first.problem()).isTrue();
        assertThat(first.days()).hasSize(2);
        assertThat(statements(nodes.get(1))).isEqualTo(first);
        assertThat(statements(nodes.get(2))).isEqualTo(first);
        for (SharedSpendStore each : nodes) {
            done(each.close());
        }
    }

    private static SpendStatements statements(SpendStore of) throws Exception {
        return done(of.statements(ACME, LocalDate.of(2026, 3, 1), LocalDate.of(2026, 3, 9)));
    }

    /** As a node's outbox does: again and again until it is told that it is stored. */
    private static void insist(SpendStore on, SpendShipped shipped) throws Exception {
        for (int attempt = 0; attempt < 500; attempt++) {
            try {
                assertThat(done(on.append(shipped))).isEqualTo(shipped.upToSeq());
                return;
            } catch (ExecutionException away) {
                Thread.sleep(50);
            }
        }
        throw new AssertionError("never stored");
    }

    @Test
    void whatNoReplicaHasIsShownByNobody() throws Exception {
        Path second = Files.createDirectory(directory.resolve("replica"));
        try (RedisServer replica = RedisServer.replicaOf(redis, second)) {
            RedisSettings settings = new RedisSettings(
                    List.of(redis.endpoint(), replica.endpoint()),
                    Optional.empty(),
                    Optional.empty(),
                    1,
                    Duration.ofSeconds(2));
            SharedSpendStore one = node("n1", new RedisSpendLog(link(settings)));
            SharedSpendStore two = node("n2", new RedisSpendLog(link(settings)));
            done(one.refresh());
            done(two.refresh());
            replica.pause();
            SpendShipped shipped = shipped("n1", 0).shipped();
            assertThatThrownBy(() -> done(one.append(shipped))).hasCauseInstanceOf(RedisAwayException.class);
            assertThatThrownBy(() -> done(one.append(shipped))).hasCauseInstanceOf(RedisAwayException.class);
            assertThatThrownBy(() -> done(two.refresh())).hasCauseInstanceOf(RedisAwayException.class);
            assertThat(total(two)).isEqualTo(Money.ZERO);
            replica.resume();
            insist(one, shipped);
            done(two.refresh());
            assertThat(total(two)).isEqualTo(Money.of("1"));
            done(one.close());
            done(two.close());
        }
    }

    @Test
    void theOldestGoWhereTheLogTakesTooMuchMemoryAndTheNewestStays() throws Exception {
        RedisSpendLog log = new RedisSpendLog(link(RedisSettings.at(redis.endpoint())), 2_000);
        for (int i = 0; i < 100; i++) {
            done(log.append(adjusted("c" + i)));
        }
        SpendLog.Page page = done(log.since(0));
        assertThat(page.last()).isEqualTo(100);
        long first = page.next().get(0).position();
        assertThat(first).isBetween(50L, 99L);
        List<SpendLog.Logged> kept = all(log, 0);
        assertThat(kept).hasSize((int) (101 - first));
        assertThat(kept.stream().map(SpendLog.Logged::entry).toList()).endsWith(adjusted("c99"));
        RedisSpendLog tiny = new RedisSpendLog(link(RedisSettings.at(redis.endpoint())), 1);
        done(tiny.append(adjusted("large")));
        assertThat(all(tiny, 0))
                .singleElement()
                .satisfies(each -> assertThat(each.position()).isEqualTo(101));
        done(log.close());
        done(tiny.close());
    }

    @Test
    void aLogThatWasLostIsNotBegunAnew() throws Exception {
        SharedSpendStore node = node("n1", open());
        done(node.refresh());
        insist(node, shipped("n1", 0).shipped());
        redis.ask("FLUSHALL");
        done(node.refresh());
        assertThatThrownBy(() -> done(node.append(shipped("n1", 1).shipped()))).hasMessageContaining("runbook");
        assertThat(total(node)).isEqualTo(Money.of("1"));
        done(node.close());
    }

    @Test
    void afterTheRunbookNodesGoOnFromTheCopyThatHadMost() throws Exception {
        SharedSpendStore most = node("n1", open());
        done(most.refresh());
        insist(most, shipped("n1", 0).shipped());
        SharedSpendStore less = node("n2", open());
        done(less.refresh());
        insist(most, shipped("n1", 1).shipped());
        redis.ask("FLUSHALL");
        done(most.refresh());
        RedisScript.run("spend-to-redis.sql", directory.resolve("n1.db"), redis, directory);
        done(most.refresh());
        insist(most, shipped("n1", 2).shipped());
        assertThat(total(most)).isEqualTo(Money.of("3"));
        done(less.refresh());
        assertThatThrownBy(() -> total(less)).hasMessageContaining("not complete");
        SpendShipped own = shipped("n2", 0).shipped();
        assertThat(done(less.append(own))).isEqualTo(own.upToSeq());
        done(most.refresh());
        assertThat(total(most)).isEqualTo(Money.of("4"));
        done(most.close());
        done(less.close());
    }
}
