package io.sluice.plugins.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.plugins.api.AnswerEvent.Completed;
import io.sluice.plugins.api.AnswerEvent.ContentDelta;
import io.sluice.plugins.api.AnswerEvent.Failed;
import io.sluice.plugins.api.AnswerEvent.Finished;
import io.sluice.plugins.api.AnswerEvent.ReasoningDelta;
import io.sluice.plugins.api.AnswerEvent.ToolCallDelta;
import io.sluice.plugins.api.chat.ChatLimits;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.ChatRequestParser;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every provider plugin must hold, whoever wrote it. Extend it in the tests of a plugin, give it the factory, settings
 * and samples of what the provider's server sends, and JUnit runs it.
 */
public abstract class ProviderContract {
    private static final String CREDENTIAL = "sk-contract-0123456789abcdef";
    private static final int RANDOM_BODIES = 400;

    private Vertx vertx;
    private Provider provider;

    /** An answer as the server sends it: always status 200. */
    public record Sample(Map<String, String> headers, String body) {}

    /** The plugin. */
    protected abstract ProviderFactory factory() throws Exception;

    /** Settings that it accepts. */
    protected abstract ProviderSettings settings();

    /** An answer with text. */
    protected abstract Sample text(boolean streamed);

    /** An answer that calls at least one tool. */
    protected abstract Sample toolCall(boolean streamed);

    @BeforeEach
    void createProvider() throws Exception {
        vertx = Vertx.vertx();
        provider = factory()
                .create(settings(), vertx)
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    @AfterEach
    void closeProvider() throws Exception {
        if (provider != null) {
            provider.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        }
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static ChatRequest request(boolean streamed) {
        byte[] body = ("{\"model\":\"m\",\"stream\":" + streamed + ",\"max_tokens\":17,\"x_vendor\":{\"n\":1.50},"
                        + "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],"
                        + "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":{}}}]}")
                .getBytes(StandardCharsets.UTF_8);
        return new ChatRequestParser(ChatLimits.DEFAULT).parse(body).fold(request -> request, refused -> {
            throw new IllegalStateException(refused.message());
        });
    }

    /** Everything a decoder says about {@code pieces}; {@code ended} whether the body ends in good order after them. */
    private List<AnswerFrame> decode(boolean streamed, int status, Map<String, String> headers, List<byte[]> pieces) {
        Map<String, String> lower = new HashMap<>();
        headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
        AnswerDecoder decoder = provider.decoder(request(streamed));
        List<AnswerFrame> frames = new ArrayList<>();
        decoder.head(status, name -> lower.get(name.toLowerCase(Locale.ROOT)));
        for (byte[] piece : pieces) {
            if (!ended(frames)) {
                decoder.data(Buffer.buffer(piece), frames::add);
            }
        }
        if (!ended(frames)) {
            decoder.end(frames::add);
        }
        return frames;
    }

    private List<AnswerFrame> decode(boolean streamed, Sample sample) {
        return decode(streamed, 200, sample.headers(), List.of(bytes(sample)));
    }

    private static byte[] bytes(Sample sample) {
        return sample.body().getBytes(StandardCharsets.UTF_8);
    }

    private static boolean ended(List<AnswerFrame> frames) {
        return events(frames).stream().anyMatch(AnswerEvent::terminal);
    }

    private static List<AnswerEvent> events(List<AnswerFrame> frames) {
        return frames.stream().flatMap(frame -> frame.events().stream()).toList();
    }

    private static String textOf(List<AnswerFrame> frames) {
        return events(frames).stream()
                .filter(ContentDelta.class::isInstance)
                .map(event -> ((ContentDelta) event).text())
                .collect(Collectors.joining());
    }

    /** What holds for any answer, right or wrong. */
    private void assertWellFormed(boolean streamed, List<AnswerFrame> frames) {
        List<AnswerEvent> events = events(frames);
        assertThat(events.stream().filter(AnswerEvent::terminal)).hasSize(1);
        assertThat(events.get(events.size() - 1).terminal()).isTrue();
        Map<Integer, Integer> calls = new HashMap<>();
        for (AnswerEvent event : events) {
            if (event instanceof ContentDelta content) {
                assertThat(content.text()).isNotEmpty();
            } else if (event instanceof ReasoningDelta reasoning) {
                assertThat(reasoning.text()).isNotEmpty();
            } else if (event instanceof ToolCallDelta call) {
                assertToolCall(call, calls);
            } else if (event instanceof Failed failed) {
                assertThat(failed.failure()).isNotNull();
                assertThat(failed.message()).isNotNull();
                assertThat(failed.retryAfterMs()).isNotNegative();
            }
        }
        frames.forEach(frame -> assertWire(streamed, frame));
    }

    private static void assertToolCall(ToolCallDelta call, Map<Integer, Integer> calls) {
        int begun = calls.getOrDefault(call.choice(), 0);
        assertThat(call.arguments()).isNotNull();
        if (call.index() == begun) {
            assertThat(call.id()).isNotEmpty();
            assertThat(call.name()).isNotEmpty();
            calls.put(call.choice(), begun + 1);
        } else {
            assertThat(call.index()).isBetween(0, begun - 1);
            assertThat(call.id()).isNull();
            assertThat(call.name()).isNull();
        }
    }

    private void assertWire(boolean streamed, AnswerFrame frame) {
        if (frame.wire() == null) {
            return;
        }
        assertThat(provider.dialect()).isNotEqualTo(Dialect.OTHER);
        try {
            JsonNode tree = StrictJson.MAPPER.readTree(frame.wire().getBytes());
            assertThat(tree.isObject()).isTrue();
            assertThat(streamed && tree.hasNonNull("usage")).isFalse();
        } catch (IOException malformed) {
            throw new AssertionError("a wire is no JSON: " + frame.wire(), malformed);
        }
    }

    @Test
    void theFactoryHasAWordAndTheVersionOfThisInterface() throws Exception {
        assertThat(factory().plugin()).matches("[a-z0-9][a-z0-9-]*");
        assertThat(factory().apiVersion()).isEqualTo(PluginApi.VERSION);
    }

    @Test
    void theSettingsAreFoundRight() throws Exception {
        assertThat(factory().check(settings())).isEmpty();
    }

    @Test
    void theOriginIsSchemeHostAndPortOnly() {
        assertThat(provider.origin().getScheme()).isIn("http", "https");
        assertThat(provider.origin().getHost()).isNotEmpty();
        assertThat(provider.origin().getRawPath()).isEmpty();
        assertThat(provider.origin().getRawUserInfo()).isNull();
    }

    @Test
    void encodingNeverChangesTheRequest() throws Exception {
        ChatRequest request = request(true);
        Buffer before = request.body();
        Upstream upstream = new Upstream("up", Optional.of(new Secret(CREDENTIAL)), 8);

        UpstreamCall first = provider.encode(request, upstream);
        UpstreamCall second = provider.encode(request, upstream);

        assertThat(request.body()).isEqualTo(before);
        assertThat(second).isEqualTo(first);
    }

    @Test
    void theCredentialIsInAHeaderAndNowhereElse() throws Exception {
        UpstreamCall call = provider.encode(request(false), new Upstream("up", Optional.of(new Secret(CREDENTIAL)), 8));

        assertThat(call.path()).doesNotContain(CREDENTIAL);
        assertThat(call.body().toString(StandardCharsets.UTF_8)).doesNotContain(CREDENTIAL);
        assertThat(call.headers()).anyMatch(header -> header.getValue().contains(CREDENTIAL));
    }

    @Test
    void withoutACredentialNoHeaderPretendsOne() throws Exception {
        UpstreamCall call = provider.encode(request(false), new Upstream("up", Optional.empty(), 8));

        assertThat(call.headers()).noneMatch(header -> header.getKey().equals("authorization"));
    }

    @Test
    void theCallIsFitForTheWire() throws Exception {
        UpstreamCall call =
                provider.encode(request(true), new Upstream("a?b#c/../d e", Optional.of(new Secret(CREDENTIAL)), 8));

        assertThat(call.method()).isIn("GET", "POST");
        assertThat(call.path()).startsWith("/").matches("[!-~]+").doesNotContain("#", "/../");
        assertThat(call.headers())
                .allMatch(header -> header.getKey().equals(header.getKey().toLowerCase(Locale.ROOT)))
                .noneMatch(header -> (header.getKey() + header.getValue()).matches("(?s).*[\\r\\n].*"));
    }

    @Test
    void quotaIsAPureFunctionOfHeadersAndTime() {
        Instant now = Instant.parse("2026-01-31T08:00:00Z");
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < RANDOM_BODIES; i++) {
            String value = List.of(
                            "",
                            "-1",
                            "0",
                            "12",
                            "1s",
                            "6m0s",
                            "1e99",
                            "99999999999999999999",
                            "2026-01-31T08:00:05Z",
                            "NaN")
                    .get(random.nextInt(10));
            QuotaFigures figures = provider.quota(name -> value, now);

            assertThat(provider.quota(name -> value, now)).isEqualTo(figures);
            for (QuotaFigures.Window window : List.of(figures.requests(), figures.tokens())) {
                assertThat(window.limit() == -1 || window.limit() > 0).isTrue();
                assertThat(window.remaining()).isGreaterThanOrEqualTo(-1);
                assertThat(window.resetMs()).isGreaterThanOrEqualTo(-1);
            }
        }
        assertThat(provider.quota(name -> null, now)).isEqualTo(QuotaFigures.NONE);
    }

    @Test
    void aGoodAnswerHasTextAndIsComplete() {
        for (boolean streamed : new boolean[] {false, true}) {
            List<AnswerFrame> frames = decode(streamed, text(streamed));

            assertWellFormed(streamed, frames);
            assertThat(textOf(frames)).isNotEmpty();
            assertThat(events(frames)).hasAtLeastOneElementOfType(Finished.class);
            assertThat(events(frames)).endsWith(new Completed());
        }
    }

    @Test
    void aToolCallIsToldAndTheReasonIsToolCalls() {
        for (boolean streamed : new boolean[] {false, true}) {
            List<AnswerFrame> frames = decode(streamed, toolCall(streamed));

            assertWellFormed(streamed, frames);
            assertThat(events(frames)).hasAtLeastOneElementOfType(ToolCallDelta.class);
            assertThat(events(frames)).contains(new Finished(0, FinishReason.TOOL_CALLS));
        }
    }

    @Test
    void theNetworkMayCutAnywhere() {
        for (boolean streamed : new boolean[] {false, true}) {
            for (Sample sample : List.of(text(streamed), toolCall(streamed))) {
                List<AnswerEvent> whole = merged(decode(streamed, sample));
                byte[] bytes = bytes(sample);
                for (int at = 0; at <= bytes.length; at++) {
                    List<byte[]> two = List.of(
                            java.util.Arrays.copyOf(bytes, at), java.util.Arrays.copyOfRange(bytes, at, bytes.length));
                    assertThat(merged(decode(streamed, 200, sample.headers(), two)))
                            .as("cut at byte %d", at)
                            .isEqualTo(whole);
                }
                List<byte[]> single = IntStream.range(0, bytes.length)
                        .mapToObj(i -> new byte[] {bytes[i]})
                        .toList();
                assertThat(merged(decode(streamed, 200, sample.headers(), single)))
                        .isEqualTo(whole);
            }
        }
    }

    /** The events, with made-up ids made equal: a provider may give a call a new id at each decoding. */
    private static List<AnswerEvent> merged(List<AnswerFrame> frames) {
        return events(frames).stream()
                .map(event -> event instanceof ToolCallDelta call && call.id() != null
                        ? new ToolCallDelta(call.choice(), call.index(), "id", call.name(), call.arguments())
                        : event)
                .toList();
    }

    @Test
    void anAnswerThatEndsEarlyIsCompleteOnlyIfAllTextCame() {
        for (boolean streamed : new boolean[] {false, true}) {
            Sample sample = text(streamed);
            String all = textOf(decode(streamed, sample));
            byte[] bytes = bytes(sample);
            for (int at = 0; at < bytes.length; at++) {
                List<AnswerFrame> frames =
                        decode(streamed, 200, sample.headers(), List.of(java.util.Arrays.copyOf(bytes, at)));

                assertWellFormed(streamed, frames);
                if (events(frames).contains(new Completed())) {
                    assertThat(textOf(frames)).isEqualTo(all);
                }
            }
        }
    }

    @Test
    void everyErrorStatusIsAFailureWhateverTheBody() {
        for (int status = 300; status <= 599; status++) {
            for (String body : List.of("", "<html>no</html>", "{\"error\":{\"message\":\"no\"}}", "null", "{")) {
                List<AnswerFrame> frames = decode(
                        true, status, Map.of("retry-after", "-1"), List.of(body.getBytes(StandardCharsets.UTF_8)));

                assertWellFormed(true, frames);
                assertThat(events(frames)).hasOnlyElementsOfType(Failed.class);
            }
        }
    }

    @Test
    void arbitraryBytesNeverThrow() {
        long seed = 20_261_129L;
        Random random = new Random(seed);
        for (int i = 0; i < RANDOM_BODIES; i++) {
            boolean streamed = random.nextBoolean();
            Sample sample = random.nextBoolean() ? text(streamed) : toolCall(streamed);
            byte[] bytes = bytes(sample);
            int changes = 1 + random.nextInt(8);
            for (int change = 0; change < changes; change++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            List<byte[]> pieces = new ArrayList<>();
            for (int from = 0; from < bytes.length; ) {
                int to = Math.min(bytes.length, from + 1 + random.nextInt(64));
                pieces.add(java.util.Arrays.copyOfRange(bytes, from, to));
                from = to;
            }
            try {
                assertWellFormed(streamed, decode(streamed, 200, sample.headers(), pieces));
            } catch (RuntimeException | AssertionError broken) {
                throw new AssertionError(
                        "seed " + seed + ", body " + i + ": " + new String(bytes, StandardCharsets.UTF_8), broken);
            }
        }
    }

    @Test
    void decodersShareNothing() {
        Sample sample = text(true);
        byte[] bytes = bytes(sample);
        AnswerDecoder first = provider.decoder(request(true));
        AnswerDecoder second = provider.decoder(request(true));
        List<AnswerFrame> ofFirst = new ArrayList<>();
        List<AnswerFrame> ofSecond = new ArrayList<>();
        first.head(200, sample.headers()::get);
        second.head(200, sample.headers()::get);
        for (byte b : bytes) {
            for (Map.Entry<AnswerDecoder, List<AnswerFrame>> each :
                    Map.of(first, ofFirst, second, ofSecond).entrySet()) {
                if (!ended(each.getValue())) {
                    each.getKey().data(Buffer.buffer(new byte[] {b}), each.getValue()::add);
                }
            }
        }
        first.end(frame -> {});
        second.end(frame -> {});

        assertThat(textOf(ofFirst)).isEqualTo(textOf(ofSecond)).isEqualTo(textOf(decode(true, sample)));
    }
}
