package io.sluice.plugins.openai;

import io.sluice.plugins.api.PluginApi;
import io.sluice.plugins.api.Provider;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.ProviderSettings;
import io.sluice.plugins.api.SettingProblem;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.List;

/**
 * Any server that speaks OpenAI's chat completions: OpenAI, Azure's v1 interface, vLLM, Ollama, llama.cpp, TGI, DeepSeek,
 * Qwen, GLM, Kimi. Settings, all optional:
 * <ul>
 *   <li>{@code maxTokensField}: {@code as-sent} (default), {@code max_tokens} or {@code max_completion_tokens}: the one name
 *       under which the longest answer is asked for;
 *   <li>{@code authHeader}: {@code authorization} (default) or {@code api-key} (Azure);
 *   <li>{@code warmPing}: {@code true} (default) or {@code false}: whether {@code GET models} may be sent while it is idle.
 * </ul>
 */
public final class OpenAiProviderFactory implements ProviderFactory {
    @Override
    public String plugin() {
        return "openai";
    }

    @Override
    public int apiVersion() {
        return PluginApi.VERSION;
    }

    @Override
    public List<SettingProblem> check(ProviderSettings settings) {
        return OpenAiSettings.check(settings);
    }

    @Override
    public Future<Provider> create(ProviderSettings settings, Vertx vertx) {
        return Future.succeededFuture(new OpenAiProvider(OpenAiSettings.read(settings), InstantSource.system()));
    }

    /** The codec for a server of the dialect at {@code baseUrl}, with default settings: for plugins that bring their own server. */
    public static Provider at(String baseUrl) {
        return new OpenAiProvider(
                OpenAiSettings.read(new ProviderSettings(baseUrl, java.util.Map.of())), InstantSource.system());
    }
}
