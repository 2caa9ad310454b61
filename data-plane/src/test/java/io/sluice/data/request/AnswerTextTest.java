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
}
