package io.sluice.ops.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.store.ConfigLog;
import io.sluice.control.store.ConfigLogContract;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisConfigLogIT extends ConfigLogContract {
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
    protected ConfigLog open() throws Exception {
        return log(RedisSettings.at(redis.endpoint()));
    }

    private RedisConfigLog log(RedisSettings settings) throws Exception {
        RedisLink link = RedisLink.open(vertx, settings, "configuration");
        for (int i = 0; i < 1_000 && !link.up(); i++) {
            Thread.sleep(20);
        }
        return new RedisConfigLog(link);
    }

    @Test
    void aChangeThatNoReplicaHasIsNotTakenOverByOthers() throws Exception {
        Path second = Files.createDirectory(directory.resolve("replica"));
        try (RedisServer replica = RedisServer.replicaOf(redis, second)) {
            RedisConfigLog log = log(new RedisSettings(
                    List.of(redis.endpoint(), replica.endpoint()),
                    Optional.empty(),
                    Optional.empty(),
                    1,
                    Duration.ofSeconds(2)));
            replica.pause();
            assertThatThrownBy(() -> await(log.append(batch(1, "lonely")))).isInstanceOf(RedisAwayException.class);
            assertThatThrownBy(() -> await(log.since(0))).isInstanceOf(RedisAwayException.class);
            replica.resume();
            assertThat(await(untilConfirmed(() -> log.append(batch(1, "lonely")))))
                    .isEqualTo(ConfigLog.Appended.DONE);
            assertThat(await(untilConfirmed(() -> log.since(0))).batches()).hasSize(1);
            await(log.close());
        }
    }

    @Test
    void everythingIsThereAgainAfterAKill() throws Exception {
        ConfigLog log = open();
        await(log.append(batch(1, "a")));
        await(log.append(batch(2, "b")));
        await(log.close());
        redis.kill();
        redis.start();
        ConfigLog again = open();
        assertThat(await(again.since(0)).batches()).containsExactly(batch(1, "a"), batch(2, "b"));
        await(again.close());
    }

    /** Replicas of a busy machine need longer at times than they are given to confirm; who asks tries again. */
    private <T> Future<T> untilConfirmed(Supplier<Future<T>> asking) {
        return asking.get()
                .recover(failure -> failure instanceof RedisAwayException
                        ? vertx.timer(50, TimeUnit.MILLISECONDS).compose(later -> untilConfirmed(asking))
                        : Future.failedFuture(failure));
    }
}
