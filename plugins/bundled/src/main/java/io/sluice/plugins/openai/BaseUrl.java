package io.sluice.plugins.openai;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where an OpenAI-compatible server listens, read from whatever an operator pasted: with or without {@code /v1}, with slashes
 * at the end, with a query, or the full address of the chat endpoint.
 *
 * @param origin scheme, host and port
 * @param chatPath absolute path and query of chat completions, percent-encoded
 */
record BaseUrl(URI origin, String chatPath) {
    private static final String CHAT = "/chat/completions";

    /** {@code v1}, {@code v4}, {@code v1beta}: the address already says which version of the interface it means. */
    private static final Pattern VERSION = Pattern.compile("v\\d+[a-z0-9]*");

    /** Endpoints that people paste by mistake. */
    private static final Set<String> OTHER_ENDPOINTS =
            Set.of("completions", "embeddings", "models", "responses", "messages", "chat");

    /** Why an address can not be used; the message says what to write instead. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        Unusable(String message) {
            super(message, null, false, false);
        }
    }

    /** Reads {@code text}. A path without a version gets {@code /v1}; a prefix and a query are kept. */
    static BaseUrl parse(String text) throws Unusable {
        URI uri = uri(text.strip());
        List<String> segments = segments(uri.getRawPath());
        String path = "/" + String.join("/", segments);
        if (path.endsWith(CHAT)) {
            segments = segments.subList(0, segments.size() - 2);
        } else if (!segments.isEmpty() && OTHER_ENDPOINTS.contains(segments.get(segments.size() - 1))) {
            throw new Unusable("ends in another endpoint; write the address up to /v1, or that of /chat/completions");
        }
        if (("/" + String.join("/", segments) + "/").contains(CHAT + "/")) {
            throw new Unusable("has /chat/completions twice; write the address up to /v1");
        }
        boolean versioned =
                segments.stream().anyMatch(each -> VERSION.matcher(each).matches() || each.equals("deployments"));
        String prefix = segments.isEmpty() ? "" : "/" + String.join("/", segments);
        boolean asGiven = path.endsWith(CHAT);
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new BaseUrl(origin(uri), prefix + (versioned || asGiven ? "" : "/v1") + CHAT + query);
    }

    /** Absolute path and query of the list of models, percent-encoded. */
    String modelsPath() {
        int chat = chatPath.indexOf(CHAT);
        return chatPath.substring(0, chat) + "/models" + chatPath.substring(chat + CHAT.length());
    }

    private static URI uri(String text) throws Unusable {
        if (text.isEmpty()) {
            throw new Unusable("is missing; write the address of the server, such as https://api.openai.com/v1");
        }
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException malformed) {
            throw new Unusable("is not an address: " + malformed.getReason() + "; write https://host/v1");
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new Unusable("must begin with https:// or http://");
        }
        if (uri.getHost() == null || uri.getPort() > 65_535 || uri.getPort() == 0) {
            throw new Unusable("has no usable host and port; write https://host:port/v1");
        }
        if (uri.getRawUserInfo() != null) {
            throw new Unusable("must not carry a user or a password; put the key into credential");
        }
        if (uri.getRawFragment() != null) {
            throw new Unusable("must not have a #fragment; leave it out");
        }
        return uri;
    }

    private static List<String> segments(String path) throws Unusable {
        List<String> segments = new ArrayList<>();
        for (String segment : path == null ? new String[0] : path.split("/")) {
            String plain = segment.toLowerCase(Locale.ROOT).replace("%2e", ".");
            if (plain.equals(".") || plain.equals("..")) {
                throw new Unusable("must not have . or .. in its path");
            }
            if (!segment.isEmpty()) {
                segments.add(segment);
            }
        }
        return segments;
    }

    private static URI origin(URI uri) throws Unusable {
        try {
            return new URI(
                    uri.getScheme().toLowerCase(Locale.ROOT),
                    null,
                    uri.getHost().toLowerCase(Locale.ROOT),
                    uri.getPort(),
                    null,
                    null,
                    null);
        } catch (URISyntaxException malformed) {
            throw new Unusable("has no usable host; write https://host/v1");
        }
    }
}
