package io.sluice.data.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.TestConfig;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.money.Vocabulary;
import io.sluice.tenants.routing.SnapshotCompiler;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VocabulariesTest {
    private final Vertx vertx = Vertx.vertx();
    private final ScriptedUpstream upstream = ScriptedUpstream.answering(200, "{}");
    private final Map<Vocabulary, Integer> loads = new ConcurrentHashMap<>();
    private final AtomicBoolean onLoop = new AtomicBoolean();
    private final Vocabularies vocabularies = new Vocabularies(vertx, new TokenCounter() {
        @Override
        public boolean ready(Vocabulary vocabulary) {
            return loads.containsKey(vocabulary);
        }

        @Override
        public void load(Vocabulary vocabulary) {
            onLoop.compareAndSet(false, Context.isOnEventLoopThread());
            loads.merge(vocabulary, 1, Integer::sum);
        }

        @Override
        public long tokens(Vocabulary vocabulary, String text) {
            throw new AssertionError("nothing is to be counted");
        }
    });

    @AfterEach
    void close() throws Exception {
        upstream.close();
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private void prepare(String nameUpstream) throws Exception {
        Configuration configuration = TestConfig.pool(upstream);
        TenantTree tree = configuration.tenants().get(TestConfig.T1);
        PoolConfig pool = new PoolConfig(
                new ScopedId(TestConfig.T1, "m1"),
                1,
                Tier.STANDARD,
                List.of(new TargetConfig("up1", "m1", nameUpstream, 100)));
        var snapshot = new SnapshotCompiler()
                .compile(configuration.with(tree.with(tree.catalog().with(pool))));
        Future.<Void>future(done -> vertx.runOnContext(
                        loop -> vocabularies.prepare(snapshot).onComplete(done)))
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    @Test
    void whatAConfiguredModelNeedsIsLoadedOnceAndOffTheLoop() throws Exception {
        prepare("gpt-4o-mini");
        prepare("gpt-4o-mini");

        assertThat(loads).isEqualTo(Map.of(Vocabulary.O200K, 1));
        assertThat(onLoop).isFalse();
    }

    @Test
    void withoutSuchAModelNothingIsLoaded() throws Exception {
        prepare("m1");

        assertThat(loads).isEmpty();
    }
}
