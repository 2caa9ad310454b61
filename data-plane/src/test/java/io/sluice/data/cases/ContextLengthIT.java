package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.decision.DecisionReplay;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A prompt that a provider finds too long is given one larger window (requirement A1). */
class ContextLengthIT {
    private static final String TOO_LONG =
            "{\"error\":{\"message\":\"This model's maximum context length is 4096 tokens\","
                    + "\"type\":\"invalid_request_error\",\"param\":\"messages\",\"code\":\"context_length_exceeded\"}}";

    /** The chain of rungs over {@code upstreams}, where the model of rung i+1 has the i-th window; a text stands below. */
    private static Configuration windows(List<Integer> windows, ScriptedUpstream... upstreams) {
        Configuration configuration = TestConfig.chain(upstreams);
        TenantTree tree = configuration.tenants().get(TestConfig.T1);
        List<RungConfig> ladder = new ArrayList<>(tree.scenarios().get("chat").ladder());
        ladder.add(new RungConfig.Text("sorry", "come back later"));
        for (int i = 1; i <= upstreams.length; i++) {
            String model = "window" + i;
            tree = tree.with(tree.catalog()
                    .with(new ModelConfig(
                            new ScopedId(TestConfig.T1, model), 1, windows.get(i - 1), 4_096, true, true, true))
                    .with(new PoolConfig(
                            new ScopedId(TestConfig.T1, "pool" + i),
                            1,
                            Tier.STANDARD,
                            List.of(new TargetConfig("up" + i, model, null, 100)))));
        }
        return configuration.with(tree.with(TestConfig.scenario(ladder)));
    }

    @Test
    void aLargerWindowBelowAnswers() {
        try (ScriptedUpstream small = ScriptedUpstream.answering(400, TOO_LONG);
                ScriptedUpstream same = ScriptedUpstream.answering(200, Sse.whole("not asked", 1, 1));
                ScriptedUpstream large = ScriptedUpstream.answering(200, Sse.whole("fits", 1, 1));
                TestGateway gateway = TestGateway.start(windows(List.of(4_096, 4_096, 64_000), small, same, large))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(answer.header("x-sluice-step")).isEqualTo("rung3");
            assertThat(same.requests()).isEmpty();
            assertThat(DecisionReplay.differences(gateway.decision(answer))).isEmpty();
        }
    }

    @Test
    void aSecondRefusalIsTheCallersToMend() {
        try (ScriptedUpstream small = ScriptedUpstream.answering(400, TOO_LONG);
                ScriptedUpstream large = ScriptedUpstream.answering(400, TOO_LONG);
                ScriptedUpstream larger = ScriptedUpstream.answering(200, Sse.whole("not asked", 1, 1));
                TestGateway gateway = TestGateway.start(windows(List.of(4_096, 8_192, 64_000), small, large, larger))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.code()).isEqualTo("context_length_exceeded");
            assertThat(larger.requests()).isEmpty();
        }
    }

    @Test
    void withoutALargerWindowNeitherAnotherTargetNorTheTextIsTried() {
        try (ScriptedUpstream small = ScriptedUpstream.answering(400, TOO_LONG);
                ScriptedUpstream same = ScriptedUpstream.answering(200, Sse.whole("not asked", 1, 1));
                TestGateway gateway = TestGateway.start(windows(List.of(4_096, 4_096), small, same))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.header("x-should-retry")).isEqualTo("false");
            assertThat(same.requests()).isEmpty();
        }
    }
}
