package io.sluice.plugins.simulator;

import io.sluice.plugins.api.ProviderContract;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.ProviderSettings;
import io.sluice.plugins.api.chat.ChatLimits;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.ChatRequestParser;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** The simulator's codec keeps the contract on what the simulator's server writes. */
class SimulatorProviderTest extends ProviderContract {
    @Override
    protected ProviderFactory factory() {
        return new SimulatorProviderFactory();
    }

    @Override
    protected ProviderSettings settings() {
        return new ProviderSettings("", Map.of());
    }

    @Override
    protected Sample text(boolean streamed) {
        return sample(streamed, "hello");
    }

    @Override
    protected Sample toolCall(boolean streamed) {
        return sample(streamed, "call f");
    }

    private static Sample sample(boolean streamed, String prompt) {
        byte[] body = ("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"" + prompt
                        + "\"}],\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":"
                        + "{\"properties\":{\"a\":{\"type\":\"integer\"}}}}}]}")
                .getBytes(StandardCharsets.UTF_8);
        ChatRequest request = new ChatRequestParser(ChatLimits.DEFAULT)
                .parse(body)
                .fold(parsed -> parsed, refused -> {
                    throw new IllegalStateException(refused.message());
                });
        SimulatedAnswer answer = SimulatedAnswer.to(request, SimulatorScript.DEFAULT);
        AnswerText text = new AnswerText(answer, 1, 1, "m", 1, FaultBodies.usage(answer, 1, null));
        return streamed
                ? new Sample(
                        Map.of("content-type", "text/event-stream"),
                        text.chunks(true).stream()
                                .map(chunk -> "data: " + chunk + "\n\n")
                                .collect(Collectors.joining()))
                : new Sample(Map.of("content-type", "application/json"), text.whole());
    }
}
