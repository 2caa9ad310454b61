package io.sluice.ops.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.data.recall.IdempotencyStore;
import io.sluice.data.recall.IdempotencyStoreContract;
import io.sluice.data.recall.RecallSettings;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.sluice.tenants.recall.IdempotencyDecider.Standing;
import io.sluice.tenants.recall.IdempotencyDecider.Verdict;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisIdempotencyStoreIT extends IdempotencyStoreContract {
    @TempDir
    Path directory;

    private Vertx vertx;
    private RedisServer redis;
    private final List<RedisLink> links = new ArrayList<>();

    @Override
    protected IdempotencyStore open() throws Exception {
        vertx = Vertx.vertx();
        redis = RedisServer.start(directory);
        return node("node-0");
    }

    private RedisIdempotencyStore node(String name) throws Exception {
        RedisLink link = RedisLink.open(vertx, RedisSettings.at(redis.endpoint()), "idempotency");
        links.add(link);
        for (int i = 0; i < 1_000 && !link.up(); i++) {
            Thread.sleep(20);
        }
        RedisIdempotencyStore store =
                new RedisIdempotencyStore(vertx, link, new RecallSettings(TTL_MS, 1L << 30, 1 << 20, 1_000, 10), name);
        for (int i = 0;
                i < 1_000 && !redis.ask("EXISTS", "sluice:alive:" + name).contains(":1");
                i++) {
            Thread.sleep(20);
        }
        return store;
    }

    @AfterEach
    void end() throws Exception {
        for (RedisLink link : links) {
            link.close().await(10, TimeUnit.SECONDS);
        }
        redis.close();
        vertx.close().await(10, TimeUnit.SECONDS);
    }

    @Test
    void whatRunsOnAnotherNodeIsRunningAndItsAnswerIsReplayedHere() throws Exception {
        RedisIdempotencyStore one = node("node-1");
        RedisIdempotencyStore two = node("node-2");
        await(one.begin(claim("k")));
        assertThat(await(two.begin(claim("k"))).input().standing()).isEqualTo(Standing.RUNNING);
        await(one.end(claim("k"), Fate.KEEP, answer("once")));
        assertThat(await(two.begin(claim("k"))).answer()).isEqualTo(answer("once"));
    }

    @Test
    void howARequestOfANodeThatDiedEndedIsUnknown() throws Exception {
        RedisIdempotencyStore one = node("node-1");
        RedisIdempotencyStore two = node("node-2");
        await(one.begin(claim("k")));
        await(one.begin(claim("t1", "r", SAME, RequestKind.READ, 1_000)));
        redis.ask("DEL", "sluice:alive:node-1");

        assertThat(await(two.begin(claim("k"))).verdict()).isEqualTo(Verdict.TELL_UNKNOWN);
        assertThat(await(two.begin(claim("t1", "r", SAME, RequestKind.READ, 1_000)))
                        .verdict())
                .isEqualTo(Verdict.BEGIN_AGAIN);
        assertThatThrownBy(() ->
                        await(one.end(claim("t1", "r", SAME, RequestKind.READ, 1_000), Fate.KEEP, answer("late"))))
                .hasMessageContaining("taken for dead");
    }

    @Test
    void aNodeThatStartedAgainDoesNotRunWhatItsLifeBeforeBegan() throws Exception {
        RedisIdempotencyStore before = node("node-1");
        await(before.begin(claim("k")));
        RedisIdempotencyStore other = node("node-2");
        node("node-1");
        for (int i = 0; i < 500 && await(other.begin(claim("k"))).verdict() == Verdict.WAIT; i++) {
            Thread.sleep(20);
        }
        assertThat(await(other.begin(claim("k"))).verdict()).isEqualTo(Verdict.TELL_UNKNOWN);
    }

    @Test
    void ofManyNodesThatBeginAtOnceOneDoes() throws Exception {
        List<RedisIdempotencyStore> nodes = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            nodes.add(node("node-" + i));
        }
        for (int round = 0; round < 50; round++) {
            String name = "k" + round;
            var asked = nodes.stream().map(node -> node.begin(claim(name))).toList();
            long begun = 0;
            for (var each : asked) {
                begun += await(each).verdict().begins() ? 1 : 0;
            }
            assertThat(begun).isEqualTo(1);
        }
    }

    @Test
    void whileRedisIsAwayItSaysSo() throws Exception {
        RedisIdempotencyStore one = node("node-1");
        redis.kill();
        assertThatThrownBy(() -> await(one.begin(claim("k")))).hasMessageContaining("idempotency keys failed");
        redis.start();
    }
}
