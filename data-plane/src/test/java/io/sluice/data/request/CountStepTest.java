package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.tokens.TokenCounter;
import io.sluice.plugins.api.chat.ChatLimits;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.ChatRequestParser;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.decision.PromptRecord;
import io.sluice.tenants.decision.PromptRecord.Count;
import io.sluice.tenants.decision.PromptRecord.Use;
import io.sluice.tenants.money.PriceBook;
import io.sluice.tenants.money.Vocabulary;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.UpstreamQuota;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CountStepTest {
    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Set<Vocabulary> ready = EnumSet.allOf(Vocabulary.class);
    private final CountStep step = new CountStep(loop, new TokenCounter() {
        @Override
        public boolean ready(Vocabulary vocabulary) {
            return ready.contains(vocabulary);
        }

        @Override
        public void load(Vocabulary vocabulary) {
            throw new AssertionError("a count loads what it needs by itself");
        }

        @Override
        public long tokens(Vocabulary vocabulary, String text) {
            threads.add(Thread.currentThread());
            return 7;
        }
    });

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static Identified request(int textBytes) {
        String body =
                "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"" + "a".repeat(textBytes) + "\"}]}";
        ChatRequest chat = new ChatRequestParser(ChatLimits.DEFAULT)
                .parse(body.getBytes(StandardCharsets.UTF_8))
                .fold(parsed -> parsed, refused -> {
                    throw new AssertionError(refused.message());
                });
        return new Identified(
                null,
                chat,
                null,
                List.of(),
                RequestKind.READ,
                Lane.REALTIME,
                1_000,
                null,
                null,
                null,
                null,
                null,
                null,
                new PromptCount());
    }

    private static CompiledTarget target(String name) {
        ScopedId id = ScopedId.platform(name);
        return new CompiledTarget(
                name,
                id,
                id,
                name,
                1,
                8_000,
                1_000,
                true,
                true,
                true,
                1,
                new UpstreamQuota("q", null, null),
                PriceBook.EMPTY,
                null);
    }

    private record Told(boolean counts, Thread thread, Thread loop, boolean atOnce) {}

    private Told count(Identified request, String... models) throws Exception {
        Promise<Told> told = Promise.promise();
        loop.runOnContext(now -> {
            Thread own = Thread.currentThread();
            Future<Boolean> counted = step.count(
                    request, List.of(models).stream().map(CountStepTest::target).toList(), Use.MONEY);
            boolean atOnce = counted.isComplete();
            counted.map(counts -> new Told(counts, Thread.currentThread(), own, atOnce))
                    .onComplete(told);
        });
        return told.future().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void aShortTextIsCountedAtOnceOnTheEventLoop() throws Exception {
        Told told = count(request(1_000), "gpt-4o");

        assertThat(told.counts()).isTrue();
        assertThat(told.atOnce()).isTrue();
        assertThat(threads).containsExactly(told.loop());
    }

    @Test
    void aLongTextIsCountedOnAnotherThreadAndToldOnTheLoop() throws Exception {
        Told told = count(request(20_000), "gpt-4o");

        assertThat(told.counts()).isTrue();
        assertThat(told.thread()).isEqualTo(told.loop());
        assertThat(threads).hasSize(1).doesNotContain(told.loop());
    }

    @Test
    void aVocabularyThatIsNotThereYetIsNotLoadedOnTheLoop() throws Exception {
        ready.clear();
        Told told = count(request(1_000), "gpt-4o");

        assertThat(told.counts()).isTrue();
        assertThat(threads).hasSize(1).doesNotContain(told.loop());
    }

    @Test
    void aModelWhoseVocabularyIsNotKnownKeepsItsBound() throws Exception {
        Identified request = request(1_000);
        Told told = count(request, "claude-sonnet-5", "m1");

        assertThat(told.counts()).isFalse();
        assertThat(threads).isEmpty();
        assertThat(request.prompt().tokensMax("claude-sonnet-5")).isEqualTo(-1);
        assertThat(request.prompt().record(request.chat().facts())).isNull();
    }

    @Test
    void aVeryLongTextKeepsItsBound() throws Exception {
        Identified request = request(CountStep.COUNTED_MAX);

        assertThat(count(request, "gpt-4o").counts()).isFalse();
        assertThat(CountStep.countable(request, target("gpt-4o"))).isFalse();
    }

    @Test
    void whatWasCountedIsNotCountedAgain() throws Exception {
        Identified request = request(1_000);
        count(request, "gpt-4o");
        threads.clear();

        assertThat(count(request, "gpt-5", "gpt-4o").counts()).isTrue();
        assertThat(threads).isEmpty();
        assertThat(CountStep.countable(request, target("gpt-4o"))).isFalse();
        assertThat(CountStep.countable(request, target("gpt-4"))).isTrue();
    }

    @Test
    void theRecordSaysWhatWasCountedByWhichVocabularyAndWhatFor() throws Exception {
        Identified request = request(1_000);
        count(request, "gpt-4o");
        PromptRecord record = request.prompt().record(request.chat().facts());

        assertThat(record.bytesMax()).isEqualTo(request.chat().bytes());
        assertThat(record.uses()).containsExactly(Use.MONEY);
        assertThat(record.counts()).hasSize(1);
        Count only = record.counts().get(0);
        assertThat(only.vocabulary()).isEqualTo(Vocabulary.O200K);
        assertThat(only.tokens()).isBetween(7L, 30L);
    }

    @Test
    void afterManyCountsOnOtherThreadsThereIsStillRoomForMore() throws Exception {
        for (int i = 0; i < 3 * CountStep.COUNTS_MAX; i++) {
            assertThat(count(request(20_000), "gpt-4o").counts()).isTrue();
        }
    }
}
