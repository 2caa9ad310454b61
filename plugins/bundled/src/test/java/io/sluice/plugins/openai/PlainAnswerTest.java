package io.sluice.plugins.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.plugins.api.AnswerEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The quick way through a whole answer must say exactly what the careful one says, or nothing. */
class PlainAnswerTest {
    private static final String MESSAGE = "{\"role\":\"assistant\",\"content\":\"hi\"}";

    private static final String USAGE = "{\"prompt_tokens\":20,\"completion_tokens\":10,\"total_tokens\":30}";

    private static String answer(String message, String reason, String usage) {
        return "{\"id\":\"c1\",\"object\":\"chat.completion\",\"created\":7,\"model\":\"m\",\"choices\":[{\"index\":0,"
                + "\"message\":" + message + ",\"logprobs\":null,\"finish_reason\":" + reason + "}],\"usage\":" + usage
                + ",\"service_tier\":\"default\"}";
    }

    private static List<AnswerEvent> carefully(String json) throws AnswerReader.Unusable {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        AnswerState state = new AnswerState(CallIds.RANDOM);
        AnswerReader reader = new AnswerReader(state);
        reader.readWhole((ObjectNode) ProviderJson.read(bytes, 0, bytes.length));
        assertThat(reader.mended()).as("relayed as it came").isFalse();
        List<AnswerEvent> events = new ArrayList<>(reader.events());
        events.addAll(Ending.of(state, true));
        return events;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                USAGE,
                "{\"prompt_tokens\":20,\"completion_tokens\":10,\"total_tokens\":30,\"prompt_tokens_details\":"
                        + "{\"cached_tokens\":16,\"cache_write_tokens\":2},\"completion_tokens_details\":{\"reasoning_tokens\":4}}",
                "{\"prompt_tokens\":20,\"completion_tokens\":10,\"total_tokens\":34,\"completion_tokens_details\":{\"reasoning_tokens\":4}}",
                "{\"prompt_tokens\":20,\"completion_tokens\":10,\"prompt_tokens_details\":{\"cached_tokens\":21}}",
                "{\"prompt_tokens\":20,\"completion_tokens\":10,\"prompt_tokens_details\":null,\"cached_tokens\":3}",
                "{\"prompt_tokens\":20,\"completion_tokens\":10,\"completion_tokens_details\":{\"reasoning_tokens\":11}}"
            })
    void saysWhatTheCarefulWaySays(String usage) throws AnswerReader.Unusable {
        for (String reason : List.of("\"stop\"", "\"length\"")) {
            String json = answer(MESSAGE, reason, usage);

            assertThat(PlainAnswer.scan(json.getBytes(StandardCharsets.UTF_8))).isEqualTo(carefully(json));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"role\":\"assistant\",\"content\":\"\"}",
                "{\"role\":\"assistant\",\"content\":null}",
                "{\"role\":\"assistant\",\"content\":[]}",
                "{\"content\":\"hi\"}",
                "{\"role\":\"user\",\"content\":\"hi\"}",
                "{\"role\":\"assistant\",\"content\":\"hi\",\"tool_calls\":[]}",
                "{\"role\":\"assistant\",\"content\":\"hi\",\"reasoning_content\":\"hm\"}",
                "{\"role\":\"assistant\",\"content\":\"hi\",\"refusal\":\"no\"}",
                "{\"role\":\"assistant\",\"content\":\"hi\",\"content\":\"ho\"}"
            })
    void leavesAnythingElseInAMessageToTheCarefulWay(String message) {
        assertThat(PlainAnswer.scan(answer(message, "\"stop\"", USAGE).getBytes(StandardCharsets.UTF_8)))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "{}",
                "{\"prompt_tokens\":0,\"completion_tokens\":9}",
                "{\"prompt_tokens\":20,\"completion_tokens\":0}",
                "{\"prompt_tokens\":20,\"completion_tokens\":-5}",
                "{\"prompt_tokens\":20,\"completion_tokens\":12.5}",
                "{\"prompt_tokens\":\"20\",\"completion_tokens\":10}",
                "{\"prompt_tokens\":20,\"completion_tokens\":9999999999999999}",
                "{\"prompt_tokens\":20,\"completion_tokens\":10,\"prompt_cache_hit_tokens\":3}"
            })
    void leavesDoubtfulUsageToTheCarefulWay(String usage) {
        assertThat(PlainAnswer.scan(answer(MESSAGE, "\"stop\"", usage).getBytes(StandardCharsets.UTF_8)))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{\"error\":{\"message\":\"no\"}}",
                "{\"object\":\"error\",\"message\":\"no\"}",
                "{\"id\":\"c1\",\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}"
            })
    void leavesWhatIsNoAnswerToTheCarefulWay(String json) {
        assertThat(PlainAnswer.scan(json.getBytes(StandardCharsets.UTF_8))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"tool_calls\"", "\"content_filter\"", "\"eos\"", "null"})
    void leavesOtherEndsToTheCarefulWay(String reason) {
        assertThat(PlainAnswer.scan(answer(MESSAGE, reason, USAGE).getBytes(StandardCharsets.UTF_8)))
                .isNull();
    }
}
