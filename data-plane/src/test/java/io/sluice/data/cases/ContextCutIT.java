package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.json.StrictJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Conversations of which models read only the newest turns, because their scenario says so. */
class ContextCutIT {
    private static final String CACHED = "{\"exact\":{\"ttl\":\"PT10M\"}}";
    private static final String SYSTEM = "{\"role\":\"system\",\"content\":\"Be brief.\"}";
    private static final String WHOLE =
            "{\"id\":\"c\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m1\",\"choices\":[{\"index\":0,"
                    + "\"message\":{\"role\":\"assistant\",\"content\":\"yes\"},\"finish_reason\":\"stop\"}],"
                    + "\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":1,\"total_tokens\":10}}";

    private final ScriptedUpstream upstream = ScriptedUpstream.answering(200, WHOLE);
    private final TestGateway gateway = TestGateway.start(TestConfig.pool(upstream));

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    @Test
    void theModelReadsTheNewestTurnsByteForByte() throws IOException {
        scenario(Map.of("context", "{\"turnsMax\":2}"));

        Answer answer = gateway.client().chat(talk("a", "b", "c"));

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("x-sluice-context")).isEqualTo("cut;dropped=1;kept=2");
        assertThat(upstream.requests())
                .singleElement()
                .satisfies(asked -> assertThat(messages(asked.body())).isEqualTo(messages(talk("b", "c"))));
        assertThat(gateway.metric("sluice_context_cut_total")).isEqualTo(1);
    }

    @Test
    void theRecordSaysWhatWasCutAndEstimatesAreOfTheRest() throws IOException {
        scenario(Map.of("context", "{\"turnsMax\":1}"));

        Answer answer = gateway.client().chat(talk("x".repeat(4_000), "y"));

        DecisionRecord record = gateway.decision(answer);
        assertThat(record.context().cut().turnsDropped()).isEqualTo(1);
        assertThat(record.input().request().promptTokens()).isLessThan(50);
        assertThat(DecisionReplay.differences(record)).isEmpty();
    }

    @Test
    void whatFitsIsNotTouched() throws IOException {
        scenario(Map.of("context", "{\"turnsMax\":3,\"tokensMax\":1000}"));

        Answer answer = gateway.client().chat(talk("a", "b", "c"));

        assertThat(answer.header("x-sluice-context")).isNull();
        assertThat(messages(upstream.requests().get(0).body())).isEqualTo(messages(talk("a", "b", "c")));
        assertThat(gateway.decision(answer).context()).isNull();
    }

    @Test
    void aLongPromptLosesItsOldestTurns() throws IOException {
        scenario(Map.of("context", "{\"tokensMax\":1000}"));

        Answer answer = gateway.client().chat(talk("x".repeat(4_000), "y"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(messages(upstream.requests().get(0).body())).isEqualTo(messages(talk("y")));
    }

    @Test
    void aNewestTurnThatIsTooLongByItselfIsRefused() throws IOException {
        scenario(Map.of("context", "{\"tokensMax\":1000}"));

        Answer answer = gateway.client().chat(talk("x", "y".repeat(4_000)));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("context_length_exceeded");
        assertThat(answer.body()).contains("at most 1000 tokens");
        assertThat(upstream.requests()).isEmpty();
    }

    @Test
    void aVeryLongPromptIsCutAsWell() throws IOException {
        scenario(Map.of("context", "{\"tokensMax\":1000}"));

        Answer answer = gateway.client().chat(talk("x".repeat(1 << 20), "y"));

        assertThat(answer.header("x-sluice-context")).isEqualTo("cut;dropped=1;kept=1");
        assertThat(messages(upstream.requests().get(0).body())).isEqualTo(messages(talk("y")));
    }

    @Test
    void requestsThatAreEqualWhenTheyAreCutShareAnAnswer() throws IOException {
        scenario(Map.of("context", "{\"turnsMax\":1}", "cache", CACHED));
        gateway.client().chat(talk("a", "c"));

        Answer second = gateway.client().chat(talk("b", "c"));

        assertThat(second.header("x-sluice-cache")).isEqualTo("hit");
        assertThat(second.header("x-sluice-context")).isEqualTo("cut;dropped=1;kept=1");
    }

    @Test
    void anIdempotencyKeyStandsForTheRequestAsItCame() throws IOException {
        scenario(Map.of("context", "{\"turnsMax\":1}"));
        gateway.client().chat(talk("a", "c"), "idempotency-key", "k");

        Answer other = gateway.client().chat(talk("b", "c"), "idempotency-key", "k");

        assertThat(other.code()).isEqualTo("idempotency_key_reused");
        assertThat(gateway.client().chat(talk("a", "c"), "idempotency-key", "k").header("idempotent-replayed"))
                .isEqualTo("true");
    }

    @Test
    void aGrowingConversationKeepsItsBeginningForSeveralTurns() throws IOException {
        scenario(Map.of("context", "{\"turnsMax\":6}"));
        List<String> questions = new ArrayList<>();
        int moves = 0;
        String before = "";
        for (int turn = 1; turn <= 18; turn++) {
            questions.add("question " + turn);
            gateway.client().chat(talk(questions.toArray(String[]::new)));
            String sent = messages(upstream.requests().get(turn - 1).body());

            assertThat(sent).startsWith("[" + SYSTEM);
            moves += sent.startsWith(before) ? 0 : 1;
            before = sent.substring(0, sent.length() - 1);
        }
        assertThat(moves).isEqualTo(4);
    }

    /** The messages of a body, as they stand there. */
    private static String messages(String body) {
        int start = body.indexOf("[");
        return body.substring(start, body.lastIndexOf("]") + 1);
    }

    private static String talk(String... questions) {
        List<String> messages = new ArrayList<>(List.of(SYSTEM));
        for (String question : questions) {
            messages.add("{\"role\":\"user\", \"content\":\"" + question + "\"}");
            messages.add("{\"role\":\"assistant\",\"content\":\"so be it\"}");
        }
        messages.remove(messages.size() - 1);
        return "{\"model\":\"auto\",\"messages\":[" + String.join(",", messages) + "]}";
    }

    private void scenario(Map<String, String> settings) throws IOException {
        ScenarioConfig plain = TestConfig.scenario(List.of(new RungConfig.Pool("first", "m1", null, null)));
        Map<String, JsonNode> all = new HashMap<>(plain.settings());
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            all.put(setting.getKey(), StrictJson.MAPPER.readTree(setting.getValue()));
        }
        ScenarioConfig scenario = new ScenarioConfig(
                "chat",
                2,
                Sensitivity.CREATIVE,
                RequestKind.READ,
                true,
                plain.deadline(),
                plain.firstTokenTimeout(),
                plain.ladder(),
                all);
        gateway.changeTenant(tree -> tree.with(scenario));
    }
}
