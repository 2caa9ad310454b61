package io.sluice.data.request;

import java.util.regex.Pattern;

/**
 * Makes a provider's words fit for a caller: what they say about the request stays, where the provider lives goes. Keys were
 * taken out before, when the answer was read. The last guard, whatever a plugin lets through. Pure.
 */
final class CallerText {
    /** Addresses with a scheme, IPv4 and bracketed IPv6, names with a port, and paths of files with their line. */
    private static final Pattern PLACE = Pattern.compile("(?i)\\b[a-z][a-z0-9+.-]{1,20}://[^\\s\"'<>)\\]]+"
            + "|\\[[0-9a-f:]{2,45}](?::\\d{1,5})?"
            + "|\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{1,5})?\\b"
            + "|\\b[a-z0-9][a-z0-9.-]{0,100}:\\d{2,5}\\b"
            + "|(?<![\\w/.])/(?:[\\w.@-]+/)+[\\w.@-]*(?:, line \\d+)?");

    private CallerText() {}

    /** {@code words} without places; empty where there are no words. */
    static String of(String words) {
        return words == null ? "" : PLACE.matcher(words).replaceAll("***");
    }
}
