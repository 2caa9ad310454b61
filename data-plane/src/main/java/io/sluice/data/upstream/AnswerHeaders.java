package io.sluice.data.upstream;

import io.sluice.plugins.api.UpstreamHeaders;
import io.vertx.core.MultiMap;
import java.util.Locale;
import java.util.Map;

/** The headers of an answer that came over HTTP. */
record AnswerHeaders(MultiMap headers) implements UpstreamHeaders {
    @Override
    public String get(String name) {
        return headers.get(name);
    }

    @Override
    public boolean mayHave(String part) {
        for (Map.Entry<String, String> header : headers) {
            String name = header.getKey();
            if (name.length() >= part.length() && name.toLowerCase(Locale.ROOT).contains(part)) {
                return true;
            }
        }
        return false;
    }
}
