package io.sluice.plugins.api.chat;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** JSON text for single values. */
public final class JsonText {
    private JsonText() {}

    /** {@code text} as a JSON string with its quotes. */
    public static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, quoted);
        return quoted.append('"').toString();
    }
}
