package io.sluice.plugins.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromptTokensTest {
    private static final String LONG = "a long text of many words ".repeat(20);

    private final List<String> counted = new ArrayList<>();

    private static ChatRequest request(String... members) {
        String body = "{\"model\":\"auto\"," + String.join(",", members) + "}";
        return new ChatRequestParser(ChatLimits.DEFAULT)
                .parse(body.getBytes(StandardCharsets.UTF_8))
                .fold(parsed -> parsed, refused -> {
                    throw new AssertionError(refused.message());
                });
    }

    private static String user(String content) {
        return "\"messages\":[{\"role\":\"user\",\"content\":" + content + "}]";
    }

    private long most(ChatRequest request) {
        return PromptTokens.most(request, text -> {
            counted.add(text);
            return 1;
        });
    }

    @Test
    void aTextIsCountedAsItReadsAndNotAsItIsWritten() {
        most(request(user("\"caf\\u00e9\\n\\\"good\\\"\"")));

        assertThat(counted).containsExactly("café\n\"good\"");
    }

    @Test
    void aMessageHasItsTextAndWhatSetsItApart() {
        assertThat(most(request(user(JsonText.quote(LONG))))).isBetween(1L + 4, 20L);
    }

    @Test
    void whatIsNeitherMessageNorToolCountsByItsBytesUnlessNoModelReadsIt() {
        long without = most(request(user(JsonText.quote(LONG))));

        assertThat(most(request(user(JsonText.quote(LONG)), "\"stop\":\"" + "x".repeat(100) + "\"")))
                .isEqualTo(without + "\"stop\":".length() + 102);
        assertThat(most(request(user(JsonText.quote(LONG)), "\"user\":\"" + "x".repeat(100) + "\"")))
                .isEqualTo(without);
    }

    @Test
    void anImagesAddressIsNoText() {
        String image = "{\"type\":\"image_url\",\"image_url\":%s}";
        String data = "\"data:image/png;base64," + "A".repeat(4_000) + "\"";
        ChatRequest request = request(user("[{\"type\":\"text\",\"text\":" + JsonText.quote(LONG) + "},"
                + image.formatted(data) + "," + image.formatted("{\"url\":" + data + ",\"detail\":\"high\"}") + "]"));

        assertThat(most(request)).isLessThan(150);
        assertThat(counted).doesNotContain(data.substring(1, data.length() - 1)).contains(LONG);
    }

    @Test
    void aTextThatOnlyLooksLikeAnImagesAddressCounts() {
        String hidden = "x".repeat(500);
        most(request(
                "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"1\",\"image_url\":\""
                        + hidden + "\",\"url\":\"" + hidden + "\"}]}]"));

        assertThat(counted).containsExactly(hidden, hidden);
    }

    @Test
    void everyLineThatDescribesAToolBeginsWithASign() {
        String tool = "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"description\":\"%s\"}}]";
        long oneLine = most(request(user("\"hi\""), tool.formatted("x".repeat(40))));
        long tenLines = most(request(user("\"hi\""), tool.formatted("xxxx\\n".repeat(10))));

        assertThat(tenLines).isGreaterThanOrEqualTo(oneLine + 20);
    }

    @Test
    void aCharacterThatThisMachineDoesNotKnowCountsByItsBytes() {
        String unassigned = new String(Character.toChars(0x2FE0)).repeat(10);

        assertThat(Character.getType(0x2FE0)).isEqualTo(Character.UNASSIGNED);
        assertThat(most(request(user(JsonText.quote(unassigned))))).isGreaterThanOrEqualTo(30);
        assertThat(counted).isEmpty();
    }

    @Test
    void itIsNeverMoreThanTheBytes() {
        ChatRequest request = request(user("\"hi\""));

        assertThat(PromptTokens.most(request, text -> Long.MAX_VALUE / 4))
                .isLessThanOrEqualTo(request.facts().promptBytesMax());
    }

    @Test
    void aPartWhoseLengthIsNotSeenCanNotBeCounted() {
        ChatRequest request = request(user("[{\"type\":\"file\",\"file\":{\"file_id\":\"f\"}}]"));

        assertThatThrownBy(() -> most(request)).isInstanceOf(IllegalArgumentException.class);
    }
}
