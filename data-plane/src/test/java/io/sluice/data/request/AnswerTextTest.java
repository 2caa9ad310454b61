package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.money.TokenUsage;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "\n", " \r\n\t "})
    void usageGoesIntoADocumentWhateverBlanksStandAfterIt(String blanks) throws Exception {
        Buffer whole = Buffer.buffer("{\"id\":\"\u00e9\",\"n\":1.10}" + blanks);

        String text =
                AnswerText.withUsage(whole, new TokenUsage(7, 0, 0, 3, 0, true)).toString();

        JsonNode read = StrictJson.MAPPER.readTree(text);
        assertThat(text).startsWith("{\"id\":\"\u00e9\",\"n\":1.10,");
        assertThat(read.at("/usage/prompt_tokens").asInt()).isEqualTo(7);
        assertThat(read.at("/usage/completion_tokens").asInt()).isEqualTo(3);
        assertThat(read.at("/usage/estimated").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"prompt_tokens\":99999999,\"x\":{\"usage\":[1]}}", "null", "7", "12.50", "\"\u00e9\"", "[]"})
    void ownFiguresThatCanNotBeTrueAreReplacedAndEveryOtherByteStays(String own) throws Exception {
        String before = "{\"id\":\"\u00e9\",\"a\":{\"usage\":1},\"usage\": ";
        String after = " ,\"n\":1.10}\n";

        String text = AnswerText.withUsage(Buffer.buffer(before + own + after), new TokenUsage(7, 0, 0, 3, 0, true))
                .toString();

        assertThat(text).startsWith(before).endsWith(after);
        JsonNode read = StrictJson.MAPPER.readTree(text);
        assertThat(read.at("/usage/prompt_tokens").asInt()).isEqualTo(7);
        assertThat(read.at("/a/usage").asInt()).isEqualTo(1);
    }
}
