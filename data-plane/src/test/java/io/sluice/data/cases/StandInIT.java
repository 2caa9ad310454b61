package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.KeywordAnswers;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A named request that a rung without a model answered gets a model's answer once the trouble is over. */
class StandInIT {
    private final ScriptedUpstream upstream = ScriptedUpstream.answering(500, "{}");
    private TestGateway gateway;

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    private void start(RungConfig below) {
        Configuration pool = TestConfig.pool(upstream);
        ScenarioConfig scenario = new ScenarioConfig(
                "chat",
                1,
                Sensitivity.SEMANTIC,
                RequestKind.READ,
                true,
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                List.of(new RungConfig.Pool("first", "m1", null, null), below),
                Map.of("cache", Rig.json("{\"exact\":{\"ttl\":\"PT1S\"}}")));
        gateway = TestGateway.start(pool.with(pool.tenants().get(TestConfig.T1).with(scenario)));
    }

    private void fails() {
        upstream.play((request, wire) -> wire.json(429, "{\"error\":{\"message\":\"slow down\"}}"));
    }

    private void answers(String text) {
        upstream.play((request, wire) -> wire.json(200, Sse.whole(text, 3, 2)));
    }

    private Client.Answer ask(String body, String key) {
        return gateway.client().chat(body, "idempotency-key", key);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTextIsNotGivenAgain(boolean streamed) {
        start(new RungConfig.Text("sorry", "We are busy."));
        fails();
        String body = streamed ? Client.streamed() : Client.request();
        Client.Answer busy = ask(body, "k");
        upstream.play((request, wire) -> {
            if (streamed) {
                wire.stream()
                        .chunk(Sse.c("hello"))
                        .chunk(Sse.fin("stop") + Sse.use(3, 2) + Sse.DONE)
                        .end();
            } else {
                wire.json(200, Sse.whole("hello", 3, 2));
            }
        });
        Client.Answer later = ask(body, "k");

        assertThat(busy.header("x-sluice-step")).isEqualTo("sorry");
        assertThat(busy.body()).contains("We are busy.");
        assertThat(later.header("idempotent-replayed")).isNull();
        assertThat(later.header("x-sluice-step")).isEqualTo("first");
        assertThat(later.body()).contains("hello");
    }

    @Test
    void keywordsAreNotGivenAgain() {
        start(new RungConfig.Rules("keywords", new KeywordAnswers(List.of(), "Our hours are 9 to 5.")));
        fails();
        Client.Answer words = ask(Client.request(), "k");
        answers("hello");
        Client.Answer later = ask(Client.request(), "k");

        assertThat(words.body()).contains("9 to 5");
        assertThat(later.body()).contains("hello");
    }

    @Test
    void anOldAnswerIsNotGivenAgain() {
        start(new RungConfig.Cache("old", Duration.ofHours(1)));
        answers("first");
        gateway.client().chat(Client.request());
        fails();
        AtomicReference<Client.Answer> old = new AtomicReference<>();
        TestGateway.eventually("the answer is old", () -> {
            old.set(ask(Client.request(), "k" + System.nanoTime()));
            return "old".equals(old.get().header("x-sluice-step"));
        });
        assertThat(ask(Client.request(), "mine").body()).contains("first");
        answers("second");
        Client.Answer later = ask(Client.request(), "mine");

        assertThat(later.header("idempotent-replayed")).isNull();
        assertThat(later.body()).contains("second");
    }

    @Test
    void theModelsAnswerThatFollowsIsKept() {
        start(new RungConfig.Text("sorry", "We are busy."));
        fails();
        ask(Client.request(), "k");
        answers("hello");
        ask(Client.request(), "k");
        answers("another");
        Client.Answer third = ask(Client.request(), "k");

        assertThat(third.header("idempotent-replayed")).isEqualTo("true");
        assertThat(third.body()).contains("hello");
    }

    @Test
    void theRecordSaysThatTheNameIsFreeAgainAndReplays() {
        start(new RungConfig.Text("sorry", "We are busy."));
        fails();
        DecisionRecord record = gateway.decision(ask(Client.request(), "k"));

        assertThat(record.recall().end().standIn()).isTrue();
        assertThat(record.recall().fate()).isEqualTo(Fate.FREE);
        assertThat(DecisionReplay.differences(record)).isEmpty();
    }
}
