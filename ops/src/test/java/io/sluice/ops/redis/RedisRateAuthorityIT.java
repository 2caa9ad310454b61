package io.sluice.ops.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.limit.RateAuthority.Ask;
import io.sluice.data.limit.RateAuthority.Share;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisRateAuthorityIT {
    private static final String KEY = "acme|TENANT|REQUESTS||";

    @TempDir
    Path directory;

    private Vertx vertx;
    private RedisServer redis;
    private RedisLink link;

    @BeforeEach
    void begin() throws Exception {
        vertx = Vertx.vertx();
        redis = RedisServer.start(directory);
        link = RedisLink.open(vertx, RedisSettings.at(redis.endpoint()), "limits");
        for (int i = 0; i < 1_000 && !link.up(); i++) {
            Thread.sleep(20);
        }
    }

    @AfterEach
    void end() throws Exception {
        link.close().await(10, TimeUnit.SECONDS);
        redis.close();
        vertx.close().await(10, TimeUnit.SECONDS);
    }

    private Share ask(String node, long limit, long held, long want) throws Exception {
        return new RedisRateAuthority(link, node)
                .settle(List.of(new Ask(KEY, limit, held, want)))
                .await(10, TimeUnit.SECONDS)
                .get(0);
    }

    @Test
    void sharesAreNeverMoreThanTheLimit() throws Exception {
        assertThat(ask("a", 10, 0, 7)).isEqualTo(new Share(7, 0));
        assertThat(ask("b", 10, 0, 7)).isEqualTo(new Share(3, 0));
        assertThat(ask("c", 10, 0, 1).share()).isZero();
        assertThat(ask("a", 10, 2, 2)).isEqualTo(new Share(2, 0));
        assertThat(ask("c", 10, 0, 9)).isEqualTo(new Share(5, 2));
    }

    @Test
    void whatANodeUsedBeforeALimitWasLoweredStaysItsOwn() throws Exception {
        assertThat(ask("a", 10, 8, 8).share()).isEqualTo(8);
        assertThat(ask("a", 5, 8, 8).share()).isEqualTo(8);
        assertThat(ask("b", 5, 0, 1).share()).isZero();
    }

    @Test
    void severalLimitsAreSettledInOneExchangeAndTenantsShareNothing() throws Exception {
        List<Share> shares = new RedisRateAuthority(link, "a")
                .settle(List.of(new Ask(KEY, 10, 0, 10), new Ask("other|TENANT|REQUESTS||", 10, 0, 10)))
                .await(10, TimeUnit.SECONDS);
        assertThat(shares).extracting(Share::share).containsExactly(10L, 10L);
    }

    @Test
    void hundredsOfAsksAtOnceDivideTheLimitExactly() throws Exception {
        List<Future<List<Share>>> asked = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            asked.add(new RedisRateAuthority(link, "node-" + i).settle(List.of(new Ask(KEY, 1_000, 0, 7))));
        }
        Future.all(asked).await(20, TimeUnit.SECONDS);
        assertThat(asked.stream()
                        .mapToLong(each -> each.result().get(0).share())
                        .sum())
                .isEqualTo(1_000);
    }
}
