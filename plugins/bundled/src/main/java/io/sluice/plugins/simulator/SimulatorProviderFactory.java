package io.sluice.plugins.simulator;

import io.sluice.plugins.api.AnswerDecoder;
import io.sluice.plugins.api.Dialect;
import io.sluice.plugins.api.PluginApi;
import io.sluice.plugins.api.Provider;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.ProviderSettings;
import io.sluice.plugins.api.QuotaFigures;
import io.sluice.plugins.api.SettingProblem;
import io.sluice.plugins.api.UnsupportedRequestException;
import io.sluice.plugins.api.Upstream;
import io.sluice.plugins.api.UpstreamCall;
import io.sluice.plugins.api.UpstreamHeaders;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.openai.OpenAiProviderFactory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A provider with its own simulated model server: each one starts a {@link SimulatorServer} on a free loopback port and speaks to
 * it by the codec of the {@code openai} plugin, through real HTTP. Its settings are the members of a
 * {@link SimulatorScript}; it takes no {@code baseUrl}.
 */
public final class SimulatorProviderFactory implements ProviderFactory {
    private static final String LOOPBACK = "127.0.0.1";

    @Override
    public String plugin() {
        return "simulator";
    }

    @Override
    public int apiVersion() {
        return PluginApi.VERSION;
    }

    @Override
    public List<SettingProblem> check(ProviderSettings settings) {
        List<SettingProblem> problems = new ArrayList<>();
        if (!settings.baseUrl().isBlank()) {
            problems.add(
                    new SettingProblem(
                            List.of("baseUrl"),
                            "must be left out: the simulator starts its own server; use plugin openai for one that runs elsewhere"));
        }
        problems.addAll(reader(settings).problems());
        return problems;
    }

    private static ScriptReader reader(ProviderSettings settings) {
        return ScriptReader.of(List.of("settings"), settings.settings());
    }

    @Override
    public Future<Provider> create(ProviderSettings settings, Vertx vertx) {
        return SimulatorServer.start(vertx, LOOPBACK, 0, reader(settings).script())
                .map(server -> new SimulatorProvider(server, OpenAiProviderFactory.at(server.baseUrl())));
    }

    /** The codec in front of the server. */
    private record SimulatorProvider(SimulatorServer server, Provider codec) implements Provider {
        @Override
        public Dialect dialect() {
            return codec.dialect();
        }

        @Override
        public URI origin() {
            return codec.origin();
        }

        @Override
        public UpstreamCall encode(ChatRequest request, Upstream upstream) throws UnsupportedRequestException {
            return codec.encode(request, upstream);
        }

        @Override
        public AnswerDecoder decoder(ChatRequest request) {
            return codec.decoder(request);
        }

        @Override
        public QuotaFigures quota(UpstreamHeaders headers, Instant now) {
            return codec.quota(headers, now);
        }

        @Override
        public Future<Void> close() {
            return server.close();
        }
    }
}
