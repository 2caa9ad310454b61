package io.sluice.plugins.openai;

import static io.sluice.plugins.openai.Wire.DONE;
import static io.sluice.plugins.openai.Wire.c;
import static io.sluice.plugins.openai.Wire.fin;
import static io.sluice.plugins.openai.Wire.tc;
import static io.sluice.plugins.openai.Wire.usage;
import static io.sluice.plugins.openai.Wire.use;
import static io.sluice.plugins.openai.Wire.whole;

import io.sluice.plugins.api.ProviderContract;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.ProviderSettings;
import java.util.Map;

/** The bundled codec keeps the contract. */
class OpenAiProviderTest extends ProviderContract {
    @Override
    protected ProviderFactory factory() {
        return new OpenAiProviderFactory();
    }

    @Override
    protected ProviderSettings settings() {
        return new ProviderSettings("https://api.openai.com/v1", Map.of());
    }

    @Override
    protected Sample text(boolean streamed) {
        return sample(
                streamed,
                c("Hé") + c("llo 🌍") + fin("stop") + use(5, 3) + DONE,
                whole("{\"role\":\"assistant\",\"content\":\"Héllo 🌍\"}", "\"stop\"", usage(5, 3)));
    }

    @Override
    protected Sample toolCall(boolean streamed) {
        return sample(
                streamed,
                tc(0, "call_1", "f", "")
                        + tc(0, null, null, "{\"a\":")
                        + tc(0, null, null, "1}")
                        + tc(1, "call_2", "g", "{}")
                        + fin("tool_calls")
                        + use(5, 3)
                        + DONE,
                whole(
                        "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"call_1\",\"type\":\"function\","
                                + "\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"}}]}",
                        "\"tool_calls\"",
                        usage(5, 3)));
    }

    private static Sample sample(boolean streamed, String stream, String document) {
        return streamed
                ? new Sample(Map.of("content-type", "text/event-stream"), stream)
                : new Sample(Map.of("content-type", "application/json"), document);
    }
}
