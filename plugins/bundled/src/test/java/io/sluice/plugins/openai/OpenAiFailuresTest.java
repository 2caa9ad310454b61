package io.sluice.plugins.openai;

import static io.sluice.plugins.openai.Wire.JSON;
import static io.sluice.plugins.openai.Wire.NOW;
import static io.sluice.plugins.openai.Wire.bytes;
import static io.sluice.plugins.openai.Wire.decode;
import static io.sluice.plugins.openai.Wire.document;
import static io.sluice.plugins.openai.Wire.error;
import static io.sluice.plugins.openai.Wire.usage;
import static io.sluice.plugins.openai.Wire.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.api.AnswerEvent.Failed;
import io.sluice.tenants.failure.FailureClass;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows RF and HD of the cases, and rows 68 to 73 and 82 of the bad-input catalogue, as far as the codec decides them. */
class OpenAiFailuresTest {
    private static final String HI = whole("{\"role\":\"assistant\",\"content\":\"hi\"}", "\"stop\"", usage(3, 1));

    private static Failed failure(int status, Map<String, String> headers, byte[] body) {
        return decode(false, status, headers, body, Integer.MAX_VALUE).failed();
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes(text));
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   \n\n",
                "<!doctype html><html>..</html>",
                "{",
                "{\"id\":\"c1\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"hel",
                "[]",
                "null",
                "7",
                "\"hi\"",
                "It works!",
                "{}",
                "{\"choices\":[]}",
                "{\"choices\":[7]}"
            })
    void row68Rf17A200ThatIsNoAnswerIsTheProvidersFault(String body) {
        assertThat(document(body).failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
    }

    @Test
    void row68AnAnswerCutAnywhereIsNoAnswer() {
        byte[] all = bytes(HI);
        for (int length = 0; length < all.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(all, length);
            assertThat(failure(200, Map.of("content-type", JSON), cut).failure())
                    .isEqualTo(FailureClass.UPSTREAM_INTERNAL);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html; charset=utf-8", "image/png", "application/xml"})
    void row68Rf17AWrongContentTypeIsRefusedWhateverTheBody(String type) {
        assertThat(failure(200, Map.of("content-type", type), bytes(HI)).failure())
                .isEqualTo(FailureClass.UPSTREAM_INTERNAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json; charset=utf-8", "text/plain", "application/octet-stream", ""})
    void aServerThatForgetsItsContentTypeIsUnderstood(String type) {
        assertThat(decode(false, 200, Map.of("content-type", type), bytes(HI), Integer.MAX_VALUE)
                        .text())
                .isEqualTo("hi");
    }

    @Test
    void row68Status204IsNoAnswer() {
        assertThat(failure(204, Map.of(), new byte[0]).failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
    }

    @Test
    void row68NoExcerptOfAPageIsShown() {
        assertThat(error(500, "<html>secret</html>").failed().message()).doesNotContain("secret");
    }

    @Test
    void rf05AnEmptyAccountIsNoRateLimit() {
        Failed failed = error(
                        429,
                        "{\"error\":{\"message\":\"You exceeded your current quota\",\"type\":\"insufficient_quota\","
                                + "\"code\":\"insufficient_quota\"}}")
                .failed();

        assertThat(failed.failure()).isEqualTo(FailureClass.QUOTA_EXHAUSTED);
        assertThat(failed.status()).isEqualTo(429);
        assertThat(failed.retryAfterMs()).isZero();
    }

    @Test
    void rf06Status529IsOverloaded() {
        assertThat(error(
                                529,
                                "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}")
                        .failed()
                        .failure())
                .isEqualTo(FailureClass.OVERLOADED);
    }

    @ParameterizedTest
    @ValueSource(ints = {520, 522, 524, 502, 504})
    void rf07PagesOfACdnAreNetworkTrouble(int status) {
        Failed failed = failure(status, Map.of("content-type", "text/html"), bytes("<html>Error</html>"));

        assertThat(failed.failure()).isEqualTo(FailureClass.NETWORK);
        assertThat(failed.message()).doesNotContain("<html>");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 413, 422})
    void rf08ATooLongContextKeepsItsMessage(int status) {
        Failed failed = error(
                        status, "{\"error\":{\"message\":\"context too long\",\"type\":\"invalid_request_error\"}}")
                .failed();

        assertThat(failed.failure()).isEqualTo(FailureClass.CONTEXT_LENGTH);
        assertThat(failed.message()).isEqualTo("context too long");
    }

    @Test
    void rf16AnErrorBodyInA200HasTheStatusItNames() {
        Failed failed = document("{\"error\":{\"message\":\"ResourceExhausted\",\"code\":502}}")
                .failed();

        assertThat(failed.failure()).isEqualTo(FailureClass.NETWORK);
        assertThat(failed.status()).isEqualTo(502);
    }

    @Test
    void rf17A403WithoutContentTypeKeepsItsMeaning() {
        assertThat(failure(403, Map.of(), new byte[0]).failure()).isEqualTo(FailureClass.AUTH);
    }

    @Test
    void rf19AnErrorInAStreamHasTheStatusItNames() {
        Failed failed = Wire.stream(Wire.event("{\"error\":{\"message\":\"tool call validation failed\","
                        + "\"code\":\"tool_use_failed\",\"status_code\":400}}"))
                .failed();

        assertThat(failed.failure()).isEqualTo(FailureClass.BAD_REQUEST);
        assertThat(failed.status()).isEqualTo(400);
        assertThat(failed.message()).isEqualTo("tool call validation failed");
    }

    @Test
    void row73ARedirectIsAFailureAndItsTargetIsNotShown() {
        Failed failed = failure(302, Map.of("location", "http://169.254.169.254/"), new byte[0]);

        assertThat(failed.failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
        assertThat(failed.message()).doesNotContain("169.254");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "deflate"})
    void row82Hd04AnEncodingThatWasNotAskedForIsAFailure(String encoding) throws IOException {
        assertThat(failure(200, Map.of("content-type", JSON, "content-encoding", encoding), gzip(HI))
                        .failure())
                .isEqualTo(FailureClass.UPSTREAM_INTERNAL);
    }

    @Test
    void hd04AnIdentityEncodingIsNone() {
        assertThat(decode(
                                false,
                                200,
                                Map.of("content-type", JSON, "content-encoding", "identity"),
                                bytes(HI),
                                Integer.MAX_VALUE)
                        .completed())
                .isTrue();
    }

    @Test
    void hd05TheCodeInACompressedErrorIsRead() throws IOException {
        byte[] body = gzip("{\"error\":{\"message\":\"m\",\"code\":\"insufficient_quota\"}}");

        assertThat(failure(429, Map.of("content-encoding", "gzip"), body).failure())
                .isEqualTo(FailureClass.QUOTA_EXHAUSTED);
    }

    @Test
    void hd05ACompressedErrorThatGrowsWithoutEndIsCut() throws IOException {
        byte[] bomb = gzip("0".repeat(50_000_000));

        assertThat(failure(429, Map.of("content-encoding", "gzip"), bomb).failure())
                .isEqualTo(FailureClass.RATE_LIMITED);
    }

    @Test
    void anEndlessErrorBodyIsReadToItsLimitOnly() {
        Answer answer = decode(false, 500, Map.of(), bytes("sorry ".repeat(200_000)), 4_096);

        assertThat(answer.failed().failure()).isEqualTo(FailureClass.UPSTREAM_INTERNAL);
        assertThat(answer.failed().message()).hasSize(OperatorText.CHARS_MAX);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "retry-after|2|2000",
                "retry-after|0.5|500",
                "retry-after|86400|60000",
                "retry-after|-1|0",
                "retry-after|abc|0",
                "retry-after|Thu, 01 Jan 1970 00:00:00 GMT|0",
                "retry-after|Sun, 01 Mar 2026 12:00:03 GMT|3000",
                "retry-after|Sun, 01 Mar 2036 12:00:03 GMT|60000",
                "retry-after|99999999999999999999999|0",
                "retry-after-ms|250|250",
                "x-ms-retry-after-ms|1500|1500",
                "x-ratelimit-reset-requests|6m0s|60000",
                "x-ratelimit-reset-requests|1s|1000",
                "x-ratelimit-reset-tokens|20ms|20",
                "x-ratelimit-reset-tokens|1m2.5s|60000",
                "x-ratelimit-reset|1772366405|5000",
                "x-ratelimit-reset|1772366405000|5000",
                "x-ratelimit-reset|soon|0"
            })
    void row71Rf01Rf03TheWaitIsReadFromEveryHeaderAndClamped(String header, String value, long ms) {
        assertThat(failure(429, Map.of(header, value), bytes("{}")).retryAfterMs())
                .isEqualTo(ms);
    }

    @Test
    void rf03AWaitInTheBodyIsRead() {
        long reset = NOW.toEpochMilli() + 42_000;

        assertThat(error(
                                429,
                                "{\"error\":{\"code\":429,\"metadata\":{\"headers\":{\"X-RateLimit-Reset\":\"" + reset
                                        + "\"}}}}")
                        .failed()
                        .retryAfterMs())
                .isEqualTo(42_000);
        assertThat(error(429, "[{\"error\":{\"code\":429,\"details\":[{\"retryDelay\":\"33.5s\"}]}}]")
                        .failed()
                        .retryAfterMs())
                .isEqualTo(33_500);
        assertThat(error(429, "{\"error\":{\"message\":\"Please try again in 20s.\"}}")
                        .failed()
                        .retryAfterMs())
                .isEqualTo(20_000);
    }

    @Test
    void aLimitWithRoomLeftIsNotTheOneThatWasHit() {
        Map<String, String> headers = new HashMap<>();
        headers.put("x-ratelimit-reset-requests", "30s");
        headers.put("x-ratelimit-remaining-requests", "12");
        headers.put("x-ratelimit-reset-tokens", "2s");
        headers.put("x-ratelimit-remaining-tokens", "0");

        assertThat(failure(429, headers, bytes("{}")).retryAfterMs()).isEqualTo(2_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sk-proj-abcdefghijklmnop",
                "sk-ant-api03-0123456789",
                "Bearer abc.def.ghi",
                "gw_live_k1_secret_crc",
                "AIzaSyA1234567890abcdefg",
                "hf_abcdefghijklmnop",
                "0123456789abcdef0123456789abcdef0123456789abcdef"
            })
    void whatLooksLikeAKeyIsStruckOut(String key) {
        Failed failed = error(401, "{\"error\":{\"message\":\"Incorrect API key provided: " + key + ". See docs\"}}")
                .failed();

        assertThat(failed.message())
                .doesNotContain(key)
                .startsWith("Incorrect API key provided: ***")
                .contains("See docs");
    }

    @Test
    void aLongMessageIsCutAndControlCharactersAreGone() {
        Failed failed = error(400, "{\"error\":{\"message\":\"a\\u0000b\\r\\nc " + "word ".repeat(500) + "\"}}")
                .failed();

        assertThat(failed.message()).startsWith("a b c word").hasSize(OperatorText.CHARS_MAX);
    }

    /** Only the first 64 KiB of an error are read. */
    @Test
    void ofAnErrorThatIsTooLongTheMessageIsToldNotItsJson() {
        String words = "temperature is \\\"hot\\\" \\u00e9 " + "word ".repeat(20_000);
        Failed late = error(400, "{\"error\":{\"message\":\"" + words + "\",\"type\":\"x\"}}")
                .failed();
        Failed early = error(400, "{\"error\":{\"code\":7,\"message\":\"hot\",\"more\":[{\"a\":\"" + words + "\"}]}}")
                .failed();

        assertThat(late.message()).startsWith("temperature is \"hot\" é word word");
        assertThat(late.failure()).isEqualTo(FailureClass.BAD_REQUEST);
        assertThat(early.message()).isEqualTo("hot");
    }

    @Test
    void anErrorThatIsCutAnywhereIsReadAsFarAsItCame() {
        String body = "{\"error\":{\"message\":\"too \\u00e9 \\\\ hot\",\"type\":\"x\",\"list\":[1,{\"a\":true}]}}";
        int message = body.indexOf("too");
        for (int length = message + 4; length < body.length(); length++) {
            assertThat(error(400, body.substring(0, length)).failed().message())
                    .as(body.substring(0, length))
                    .startsWith("too")
                    .doesNotContain("\"", "u00");
        }
    }
}
