package io.sluice.graphql;

import java.util.List;
import java.util.Optional;

/** Reads the access token out of {@code Authorization}. */
final class BearerToken {
    private static final String SCHEME = "bearer";

    private BearerToken() {}

    /** The token where there is exactly one header of the scheme Bearer, in any case and with any blanks, and a token in it. */
    static Optional<String> of(List<String> headers) {
        return headers.size() == 1 ? of(headers.get(0)) : Optional.empty();
    }

    static Optional<String> of(String header) {
        String text = header.strip();
        boolean scheme = text.length() > SCHEME.length()
                && text.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && Character.isWhitespace(text.charAt(SCHEME.length()));
        return scheme
                ? Optional.of(text.substring(SCHEME.length()).strip()).filter(token -> !token.isEmpty())
                : Optional.empty();
    }
}
