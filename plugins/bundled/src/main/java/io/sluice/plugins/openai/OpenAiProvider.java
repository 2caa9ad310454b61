package io.sluice.plugins.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.plugins.api.AnswerDecoder;
import io.sluice.plugins.api.Dialect;
import io.sluice.plugins.api.Provider;
import io.sluice.plugins.api.QuotaFigures;
import io.sluice.plugins.api.Upstream;
import io.sluice.plugins.api.UpstreamCall;
import io.sluice.plugins.api.UpstreamHeaders;
import io.sluice.plugins.api.chat.BodyEdit;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.JsonText;
import io.sluice.plugins.openai.OpenAiSettings.AuthHeader;
import io.sluice.plugins.openai.OpenAiSettings.MaxTokensField;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The codec of the OpenAI dialect. The caller's body goes upstream byte by byte but for three documented rewrites:
 * <ol>
 *   <li>{@code model} becomes the provider's name of the model;
 *   <li>{@code stream_options.include_usage} is true on every stream, other stream options stay: the gateway charges by it and
 *       hides it from callers who did not ask;
 *   <li>of {@code max_tokens} and {@code max_completion_tokens} exactly one goes upstream where the caller gave any, under the
 *       name that the settings choose, with the smaller value, and never above what the model can give.
 * </ol>
 * No header of the caller goes upstream. Stateless and thread-safe.
 */
final class OpenAiProvider implements Provider {
    private static final String MAX_TOKENS = MaxTokensField.MAX_TOKENS.word;
    private static final String MAX_COMPLETION_TOKENS = MaxTokensField.MAX_COMPLETION_TOKENS.word;

    private final OpenAiSettings settings;
    private final Vendor vendor;
    private final InstantSource clock;

    OpenAiProvider(OpenAiSettings settings, InstantSource clock) {
        this.settings = settings;
        this.vendor = Vendor.ofHost(settings.baseUrl().origin().getHost());
        this.clock = clock;
    }

    @Override
    public Dialect dialect() {
        return Dialect.OPENAI_CHAT;
    }

    @Override
    public URI origin() {
        return settings.baseUrl().origin();
    }

    @Override
    public UpstreamCall encode(ChatRequest request, Upstream upstream) {
        BodyEdit edit = request.edit().set("model", JsonText.quote(upstream.model()));
        if (request.streamed()) {
            edit.set("stream_options", streamOptions(request));
        }
        capAnswer(request, upstream, edit);
        return new UpstreamCall(
                "POST", settings.baseUrl().chatPath(), headers(request.streamed(), upstream), edit.toBuffer());
    }

    private static String streamOptions(ChatRequest request) {
        JsonNode sent = request.member("stream_options").orElse(null);
        ObjectNode options =
                sent instanceof ObjectNode given ? given.deepCopy() : JsonNodeFactory.instance.objectNode();
        return options.put("include_usage", true).toString();
    }

    private void capAnswer(ChatRequest request, Upstream upstream, BodyEdit edit) {
        int cap = request.facts().maxTokens();
        if (cap == 0) {
            return;
        }
        if (upstream.maxOutputTokens() > 0) {
            cap = Math.min(cap, upstream.maxOutputTokens());
        }
        String field = switch (settings.maxTokensField()) {
            case MAX_TOKENS -> MAX_TOKENS;
            case MAX_COMPLETION_TOKENS -> MAX_COMPLETION_TOKENS;
            case AS_SENT -> sent(request, MAX_COMPLETION_TOKENS) ? MAX_COMPLETION_TOKENS : MAX_TOKENS;
        };
        edit.remove(field.equals(MAX_TOKENS) ? MAX_COMPLETION_TOKENS : MAX_TOKENS);
        edit.set(field, Integer.toString(cap));
    }

    private static boolean sent(ChatRequest request, String field) {
        return request.member(field).filter(value -> !value.isNull()).isPresent();
    }

    private List<Map.Entry<String, String>> headers(boolean streamed, Upstream upstream) {
        List<Map.Entry<String, String>> headers = new ArrayList<>(4);
        headers.add(Map.entry("content-type", "application/json"));
        headers.add(Map.entry("accept", streamed ? "text/event-stream" : "application/json"));
        headers.add(Map.entry("accept-encoding", "identity"));
        upstream.credential()
                .ifPresent(secret -> headers.add(
                        settings.authHeader() == AuthHeader.API_KEY
                                ? Map.entry("api-key", secret.reveal())
                                : Map.entry("authorization", "Bearer " + secret.reveal())));
        return headers;
    }

    /** The list of models: free at every vendor, and behind the same door as the chat. */
    @Override
    public Optional<UpstreamCall> ping(Upstream upstream) {
        return settings.warmPing()
                ? Optional.of(new UpstreamCall(
                        "GET", settings.baseUrl().modelsPath(), headers(false, upstream), Buffer.buffer()))
                : Optional.empty();
    }

    @Override
    public QuotaFigures quota(UpstreamHeaders headers, Instant now) {
        return QuotaHeaders.read(headers, now);
    }

    @Override
    public AnswerDecoder decoder(ChatRequest request) {
        return new OpenAiDecoder(request.streamed(), vendor, clock);
    }
}
