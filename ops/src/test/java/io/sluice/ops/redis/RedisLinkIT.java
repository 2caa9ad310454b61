package io.sluice.ops.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The link survives everything that a Redis can do to it. */
class RedisLinkIT {
    private static final Duration ANSWER_MAX = Duration.ofMillis(800);

    @TempDir
    Path directory;

    private Vertx vertx;
    private RedisLink link;

    @BeforeEach
    void begin() {
        vertx = Vertx.vertx();
    }

    @AfterEach
    void end() throws Exception {
        if (link != null) {
            link.close().await(10, TimeUnit.SECONDS);
        }
        vertx.close().await(10, TimeUnit.SECONDS);
    }

    @Test
    void goesOnAfterRedisWasStoppedAndStartedAgain() throws Exception {
        try (RedisServer redis = RedisServer.start(directory)) {
            open(0, redis);
            String first = link.runId();
            redis.kill();
            eventually(() -> !link.up());
            assertThat(failure(link.send(get("a")))).isInstanceOf(RedisAwayException.class);

            redis.start();

            eventually(link::up);
            assertThat(link.runId()).isNotEqualTo(first);
            assertThat(answer(link.send(set("a", "9007199254740993"))).toString())
                    .isEqualTo("OK");
            assertThat(answer(link.send(get("a"))).toString()).isEqualTo("9007199254740993");
        }
    }

    @Test
    void aBurstAgainstAStuckRedisEndsAndTheNextCommandPasses() throws Exception {
        try (RedisServer redis = RedisServer.start(directory)) {
            open(0, redis);
            redis.pause();
            List<Future<Response>> burst = IntStream.range(0, 400)
                    .mapToObj(i -> link.send(set("k" + i, "v")))
                    .toList();
            Future.join(burst).otherwiseEmpty().await(20, TimeUnit.SECONDS);
            assertThat(burst).allMatch(Future::failed);

            redis.resume();

            eventually(link::up);
            assertThat(answer(link.send(set("after", "1"))).toString()).isEqualTo("OK");
        }
    }

    @Test
    void leavesAConnectionOnWhichNothingArrivesAnyMoreForANewOne() throws Exception {
        try (RedisServer redis = RedisServer.start(directory);
                Forwarder between = Forwarder.to(redis.port())) {
            open(0, List.of("redis://127.0.0.1:" + between.port()));

            between.silence();

            eventually(() -> link.send(set("after", "1"))
                    .map(true)
                    .otherwise(false)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join());
        }
    }

    @Test
    void findsTheReplicaThatWasPromoted() throws Exception {
        Path second = Files.createDirectory(directory.resolve("replica"));
        try (RedisServer primary = RedisServer.start(directory);
                RedisServer replica = RedisServer.replicaOf(primary, second)) {
            open(1, primary, replica);
            String first = link.runId();
            eventually(() -> durable(set("a", "1")));
            primary.kill();
            replica.ask("REPLICAOF", "NO", "ONE");

            eventually(() -> link.up() && !first.equals(link.runId()));

            assertThat(answer(link.send(get("a"))).toString()).isEqualTo("1");
        }
    }

    @Test
    void whatNoReplicaConfirmsIsNotDurable() throws Exception {
        Path second = Files.createDirectory(directory.resolve("replica"));
        try (RedisServer primary = RedisServer.start(directory);
                RedisServer replica = RedisServer.replicaOf(primary, second)) {
            open(1, primary, replica);
            replica.pause();
            assertThat(failure(link.durable(set("a", "1")))).isInstanceOf(RedisAwayException.class);

            replica.resume();

            eventually(() -> durable(set("a", "1")));
        }
    }

    /** Whether replicas confirmed it; a busy machine's need longer at times than they are given, and who asks tries again. */
    private boolean durable(Request request) {
        return link.durable(request)
                .transform(done -> Future.succeededFuture(done.succeeded()))
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    @Test
    void leavesAPrimaryThatBecameAReplica() throws Exception {
        Path second = Files.createDirectory(directory.resolve("other"));
        try (RedisServer one = RedisServer.start(directory);
                RedisServer other = RedisServer.start(second)) {
            open(0, one, other);
            one.ask("REPLICAOF", "127.0.0.1", String.valueOf(other.port()));

            eventually(() -> link.send(set("a", "1"))
                    .transform(done -> Future.succeededFuture(done.succeeded()))
                    .await());

            assertThat(other.ask("GET", "a")).contains("1");
        }
    }

    private void open(int replicas, RedisServer... servers) throws Exception {
        open(replicas, List.of(servers).stream().map(RedisServer::endpoint).toList());
    }

    private void open(int replicas, List<String> endpoints) throws Exception {
        link = RedisLink.open(
                vertx,
                new RedisSettings(endpoints, Optional.empty(), Optional.empty(), replicas, ANSWER_MAX),
                "the test");
        eventually(link::up);
    }

    private static Request set(String key, String value) {
        return Request.cmd(Command.SET).arg(key).arg(value);
    }

    private static Request get(String key) {
        return Request.cmd(Command.GET).arg(key);
    }

    private static <T> T answer(Future<T> future) throws Exception {
        return future.await(20, TimeUnit.SECONDS);
    }

    private static Throwable failure(Future<?> future) throws Exception {
        future.otherwiseEmpty().await(20, TimeUnit.SECONDS);
        return future.cause();
    }

    private static void eventually(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("still waiting").isLessThan(end);
            Thread.sleep(20);
        }
    }
}
