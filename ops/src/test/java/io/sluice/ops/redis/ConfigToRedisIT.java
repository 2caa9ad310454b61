package io.sluice.ops.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.config.Given;
import io.sluice.control.store.AuditLine;
import io.sluice.control.store.ConfigWhole;
import io.sluice.control.store.SharedConfigStore;
import io.sluice.control.store.SqliteConfigStore;
import io.sluice.control.store.StoredWrite;
import io.sluice.tenants.config.Configuration;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the runbook on restoring does by hand: ops/deploy/config-to-redis.sql. */
class ConfigToRedisIT {
    private static final Duration WAIT_MAX = Duration.ofSeconds(30);

    /** What quoting could break on its way: quotes, backslashes, lines, a number that no double holds. */
    private static final String DETAIL = "{\"text\":\"a \\\"b\\\" \\\\ c\\nd ü\",\"n\":1234567890123456789,\"f\":1.50}";

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

    private RedisConfigLog log() throws Exception {
        RedisLink link = RedisLink.open(vertx, RedisSettings.at(redis.endpoint()), "configuration");
        for (int i = 0; i < 1_000 && !link.up(); i++) {
            Thread.sleep(20);
        }
        return new RedisConfigLog(link);
    }

    private SharedConfigStore node(String name) throws Exception {
        SharedConfigStore node =
                new SharedConfigStore(vertx, SqliteConfigStore.open(directory.resolve(name + ".db")), log());
        await(node.claim("of the secret"));
        await(node.load());
        return node;
    }

    @Test
    void aNodesCopyBecomesTheLogThatAllFollowAfterRedisHasLostIt() throws Exception {
        SharedConfigStore one = node("one");
        Configuration before = onboarded(one);
        ConfigWhole whole = whole();
        await(one.close());

        redis.ask("FLUSHALL");
        RedisScript.run("config-to-redis.sql", directory.resolve("one.db"), redis, directory);

        assertThat(whole())
                .usingRecursiveComparison()
                .ignoringCollectionOrderInFields("rows")
                .isEqualTo(whole);
        SharedConfigStore again = node("one");
        SharedConfigStore fresh = node("fresh");
        assertThat(await(fresh.load())).isEqualTo(before);
        assertThat(await(fresh.verifyAudit())).isEmpty();
        long next = await(again.append(again.position(), List.of(note(before.epoch()))));
        assertThat(await(fresh.newer(0)).orElseThrow().position()).isEqualTo(next);
        await(again.close());
        await(fresh.close());
    }

    private static Configuration onboarded(SharedConfigStore node) {
        Configuration now = Configuration.EMPTY;
        List<StoredWrite> writes = new ArrayList<>();
        for (var command : Given.acmeCommands("acme")) {
            var accepted = Given.accepted(now, command);
            now = accepted.configuration();
            writes.add(new StoredWrite(now.epoch(), accepted.changes(), List.of()));
        }
        writes.add(note(now.epoch()));
        await(node.append(node.position(), writes));
        return now;
    }

    private static StoredWrite note(long epoch) {
        AuditLine line = new AuditLine(Given.NOW, null, "ann \"x\" \\ ü", "write", "acme", Given.json(DETAIL));
        return new StoredWrite(epoch, List.of(), List.of(line));
    }

    private ConfigWhole whole() throws Exception {
        RedisConfigLog log = log();
        try {
            return await(log.whole());
        } finally {
            await(log.close());
        }
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.await(WAIT_MAX.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new AssertionError(late);
        }
    }
}
