package io.sluice.data.cases;

import io.sluice.plugins.api.PluginApi;
import io.sluice.plugins.api.Provider;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.ProviderSettings;
import io.sluice.plugins.api.SettingProblem;
import io.sluice.plugins.openai.OpenAiProviderFactory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The bundled codec behind one that does something else at times.
 *
 * @param wrap around the bundled one
 */
record WrappedCodec(String plugin, UnaryOperator<Provider> wrap) implements ProviderFactory {
    @Override
    public int apiVersion() {
        return PluginApi.VERSION;
    }

    @Override
    public List<SettingProblem> check(ProviderSettings settings) {
        return List.of();
    }

    @Override
    public Future<Provider> create(ProviderSettings settings, Vertx vertx) {
        return new OpenAiProviderFactory().create(settings, vertx).map(wrap);
    }
}
