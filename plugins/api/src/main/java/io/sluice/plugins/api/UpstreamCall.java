package io.sluice.plugins.api;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;

/**
 * One HTTP request to the provider's origin. The gateway adds {@code host}, {@code content-length} and trace headers and
 * decompresses nothing: a codec asks for {@code accept-encoding: identity}.
 *
 * @param method {@code POST} or {@code GET}
 * @param path absolute path and query, percent-encoded
 * @param headers in order; names in lower case
 * @param body empty buffer where there is none
 */
public record UpstreamCall(String method, String path, List<Map.Entry<String, String>> headers, Buffer body) {
    public UpstreamCall {
        headers = List.copyOf(headers);
    }
}
