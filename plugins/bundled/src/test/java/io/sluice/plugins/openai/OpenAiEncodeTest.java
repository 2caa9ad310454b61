package io.sluice.plugins.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.plugins.api.Provider;
import io.sluice.plugins.api.ProviderSettings;
import io.sluice.plugins.api.Secret;
import io.sluice.plugins.api.SettingProblem;
import io.sluice.plugins.api.Upstream;
import io.sluice.plugins.api.UpstreamCall;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes upstream and where to: rows CF and SC of the cases. */
class OpenAiEncodeTest {
    private static final String BASE = "{\"model\":\"up\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]";

    private final OpenAiProviderFactory factory = new OpenAiProviderFactory();

    private static ProviderSettings settings(String baseUrl, String... namesAndWords) {
        Map<String, JsonNode> settings = new HashMap<>();
        for (int i = 0; i < namesAndWords.length; i += 2) {
            settings.put(namesAndWords[i], JsonNodeFactory.instance.textNode(namesAndWords[i + 1]));
        }
        return new ProviderSettings(baseUrl, settings);
    }

    private Provider provider(ProviderSettings settings) {
        assertThat(factory.check(settings)).isEmpty();
        return factory.create(settings, null).result();
    }

    private UpstreamCall call(ProviderSettings settings, String more) throws Exception {
        return provider(settings)
                .encode(Wire.request(more), new Upstream("up", Optional.of(new Secret("sk-1")), 1_000));
    }

    private String body(String more, String... namesAndWords) throws Exception {
        return call(settings("http://u:1", namesAndWords), more).body().toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "http://u:1,/v1/chat/completions",
        "http://u:1/,/v1/chat/completions",
        "http://u:1/v1,/v1/chat/completions",
        "http://u:1/v1/,/v1/chat/completions",
        "http://u:1/v1//,/v1/chat/completions",
        "' http://u:1/v1 ',/v1/chat/completions",
        "http://u:1/proxy/v1/?key=a,/proxy/v1/chat/completions?key=a",
        "http://u:1/proxy,/proxy/v1/chat/completions",
        "http://u:1/v1/chat/completions,/v1/chat/completions",
        "http://u:1/chat/completions/,/chat/completions",
        "HTTP://U:1/V1beta/openai,/V1beta/openai/v1/chat/completions",
        "http://u:1/v1beta/openai,/v1beta/openai/chat/completions",
        "http://u:1/api/paas/v4,/api/paas/v4/chat/completions",
        "http://u:1/openai/deployments/d?api-version=2024-10-21,/openai/deployments/d/chat/completions?api-version=2024-10-21"
    })
    void cf01Cf02Cf03EveryWayToWriteTheAddressMeansOneEndpoint(String baseUrl, String path) throws Exception {
        Provider provider = provider(settings(baseUrl));

        assertThat(provider.origin()).hasToString("http://u:1");
        assertThat(call(settings(baseUrl), "").path()).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "u:1/v1",
                "ftp://u/v1",
                "http://",
                "http:///v1",
                "http://u:99999/v1",
                "http://user:pass@u/v1",
                "http://u/v1#x",
                "http://u/v1/../admin",
                "http://u/v1/%2E%2e/admin",
                "http://u/v1/embeddings",
                "http://u/v1/chat/completions/chat/completions",
                "http://u v1"
            })
    void cf03AnAddressThatCanNotWorkIsRefusedWithAdvice(String baseUrl) {
        List<SettingProblem> problems = factory.check(settings(baseUrl));

        assertThat(problems).hasSize(1);
        assertThat(problems.get(0).path()).containsExactly("baseUrl");
        assertThat(problems.get(0).message()).containsPattern("write|must|leave");
    }

    @Test
    void anIpv6AddressIsAnOrigin() {
        assertThat(provider(settings("http://[::1]:9/v1")).origin()).hasToString("http://[::1]:9");
    }

    @Test
    void allMistakesInTheSettingsAreFoundAtOnce() {
        List<SettingProblem> problems =
                factory.check(settings("", "maxTokensField", "x", "authHeader", "y", "zzz", "1"));

        assertThat(problems)
                .extracting(problem -> String.join(".", problem.path()))
                .containsExactlyInAnyOrder("baseUrl", "settings.zzz", "settings.maxTokensField", "settings.authHeader");
    }

    @Test
    void theCredentialGoesWhereTheSettingSays() throws Exception {
        assertThat(call(settings("http://u:1"), "").headers()).contains(Map.entry("authorization", "Bearer sk-1"));
        assertThat(call(settings("http://u:1", "authHeader", "api-key"), "").headers())
                .contains(Map.entry("api-key", "sk-1"))
                .noneMatch(header -> header.getKey().equals("authorization"));
    }

    @Test
    void onlyFourHeadersGoUpstream() throws Exception {
        assertThat(call(settings("http://u:1"), ",\"stream\":true").headers())
                .extracting(Map.Entry::getKey)
                .containsExactly("content-type", "accept", "accept-encoding", "authorization");
    }

    @Test
    void sc16AWholeRequestIsSentAsItCameButForTheModel() throws Exception {
        assertThat(body(",\"temperature\":0.70,\"x_vendor\":{\"a\":[1,null]},\"top_k\":20"))
                .isEqualTo(BASE + ",\"temperature\":0.70,\"x_vendor\":{\"a\":[1,null]},\"top_k\":20}");
    }

    @Test
    void us09EveryStreamAsksForUsageAndKeepsOtherOptions() throws Exception {
        assertThat(body(",\"stream\":true"))
                .isEqualTo(BASE + ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
        assertThat(body(",\"stream\":true,\"stream_options\":{\"include_obfuscation\":false,\"include_usage\":false}"))
                .contains("\"stream_options\":{\"include_obfuscation\":false,\"include_usage\":true}");
        assertThat(body(",\"stream\":true,\"stream_options\":null"))
                .contains("\"stream_options\":{\"include_usage\":true}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "as-sent|'\"max_tokens\":16'|'\"max_tokens\":16'",
                "as-sent|'\"max_completion_tokens\":16'|'\"max_completion_tokens\":16'",
                "as-sent|'\"max_tokens\":16,\"max_completion_tokens\":32'|'\"max_completion_tokens\":16'",
                "as-sent|'\"max_tokens\":16,\"max_completion_tokens\":null'|'\"max_tokens\":16'",
                "as-sent|'\"max_tokens\":5000'|'\"max_tokens\":1000'",
                "max_tokens|'\"max_completion_tokens\":16'|'\"max_tokens\":16'",
                "max_tokens|'\"max_tokens\":64,\"max_completion_tokens\":32'|'\"max_tokens\":32'",
                "max_completion_tokens|'\"max_tokens\":16'|'\"max_completion_tokens\":16'"
            })
    void sc18ExactlyOneCapGoesUpstreamWithTheSmallerValue(String field, String sent, String upstream) throws Exception {
        assertThat(body("," + sent, "maxTokensField", field)).isEqualTo(BASE + "," + upstream + "}");
    }

    @Test
    void sc16NoCapIsInvented() throws Exception {
        assertThat(body("", "maxTokensField", "max_tokens")).isEqualTo(BASE + "}");
    }

    @Test
    void tc12Tc14MessagesWithNullAndEmptyContentPassUnchanged() throws Exception {
        String messages =
                "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\",\"content\":null,"
                        + "\"tool_calls\":[{\"id\":\"k1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},"
                        + "{\"role\":\"tool\",\"tool_call_id\":\"k1\",\"content\":\"ok\"},"
                        + "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":null}]";
        byte[] body = ("{\"model\":\"m1\"," + messages + "}").getBytes(StandardCharsets.UTF_8);
        var request = new io.sluice.plugins.api.chat.ChatRequestParser(io.sluice.plugins.api.chat.ChatLimits.DEFAULT)
                .parse(body)
                .fold(parsed -> parsed, refused -> {
                    throw new IllegalStateException(refused.message());
                });

        UpstreamCall call = provider(settings("http://u:1")).encode(request, new Upstream("up", Optional.empty(), 0));

        assertThat(call.body().toString(StandardCharsets.UTF_8)).isEqualTo("{\"model\":\"up\"," + messages + "}");
    }
}
