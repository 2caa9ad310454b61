package io.sluice.data.upstream;

import io.sluice.plugins.api.UpstreamHeaders;
import io.vertx.core.MultiMap;
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
            if (contains(header.getKey(), part)) {
                return true;
            }
        }
        return false;
    }

    /** Without regard to case, and without a copy in lower case of every header of every answer. */
    private static boolean contains(String name, String part) {
        for (int at = name.length() - part.length(); at >= 0; at--) {
            if (name.regionMatches(true, at, part, 0, part.length())) {
                return true;
            }
        }
        return false;
    }
}
