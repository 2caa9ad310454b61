package io.sluice.tenants.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.json.StrictJson;
import org.junit.jupiter.api.Test;

class TokenUsageTest {
    @Test
    void negativeFiguresCountAsNone() {
        assertThat(new TokenUsage(-1, -2, -3, -4, Long.MIN_VALUE, false)).isEqualTo(TokenUsage.NONE);
    }

    @Test
    void absurdFiguresAreCut() {
        long max = TokenUsage.TOKENS_MAX;
        assertThat(new TokenUsage(Long.MAX_VALUE, max + 1, max, Long.MAX_VALUE, Long.MAX_VALUE, true))
                .isEqualTo(new TokenUsage(max, max, max, max, max, true));
    }

    @Test
    void sumsOfAbsurdFiguresDoNotOverflow() {
        long max = Long.MAX_VALUE;
        TokenUsage most = new TokenUsage(max, max, max, max, max, false);
        assertThat(most.plus(most)).isEqualTo(most);
        assertThat(most.promptTotal()).isEqualTo(3 * TokenUsage.TOKENS_MAX);
        assertThat(most.outputTotal()).isEqualTo(2 * TokenUsage.TOKENS_MAX);
    }

    @Test
    void aSumIsEstimatedWhereAPartIs() {
        TokenUsage told = new TokenUsage(1, 2, 3, 4, 5, false);
        TokenUsage guessed = new TokenUsage(10, 20, 30, 40, 50, true);
        assertThat(told.plus(guessed)).isEqualTo(new TokenUsage(11, 22, 33, 44, 55, true));
        assertThat(told.plus(told).estimated()).isFalse();
    }

    @Test
    void whatIsBilledEachIsCutAndSummedToo() {
        TokenUsage most = TokenUsage.NONE.withImages(Long.MAX_VALUE).withServerToolCalls(Long.MAX_VALUE);
        assertThat(most.images()).isEqualTo(TokenUsage.IMAGES_MAX);
        assertThat(most.serverToolCalls()).isEqualTo(TokenUsage.SERVER_TOOL_CALLS_MAX);
        assertThat(TokenUsage.NONE.withServerToolCalls(-1)).isEqualTo(TokenUsage.NONE);
        TokenUsage some = TokenUsage.NONE.withImages(2).withServerToolCalls(3);
        assertThat(some.plus(some)).isEqualTo(TokenUsage.NONE.withImages(4).withServerToolCalls(6));
    }

    /** So releases before there were calls of tools wrote it, and so it is still written where there are none. */
    @Test
    void isReadWithoutCallsOfTools() throws Exception {
        String json =
                "{\"input\":1,\"cachedInput\":2,\"cacheWrite\":3,\"output\":4,\"reasoning\":5,\"images\":0,\"estimated\":true}";
        TokenUsage usage = new TokenUsage(1, 2, 3, 4, 5, true);
        assertThat(StrictJson.MAPPER.readValue(json, TokenUsage.class)).isEqualTo(usage);
        assertThat(StrictJson.MAPPER.writeValueAsString(usage)).isEqualTo(json);
        TokenUsage searched = usage.withServerToolCalls(2);
        assertThat(StrictJson.MAPPER.readValue(StrictJson.MAPPER.writeValueAsString(searched), TokenUsage.class))
                .isEqualTo(searched);
    }
}
