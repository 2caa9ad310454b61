package io.sluice.data.request;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** W3C trace context: reads the caller's, makes new ids. */
final class TraceIds {
    private static final Pattern TRACEPARENT =
            Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

    private static final HexFormat HEX = HexFormat.of();

    private static final String NO_TRACE = "0".repeat(32);

    private static final String NO_SPAN = "0".repeat(16);

    private TraceIds() {}

    /**
     * Trace id and flags of a {@code traceparent}; null where it is absent or invalid. Of an unknown version the known fields
     * count; all-zero ids are invalid.
     */
    static String[] parse(String traceparent) {
        if (traceparent == null || traceparent.length() < 55) {
            return null;
        }
        var match = TRACEPARENT.matcher(traceparent);
        boolean right = match.matches()
                && !match.group(1).equals("ff")
                && (match.group(5) == null || !match.group(1).equals("00"))
                && !match.group(2).equals(NO_TRACE)
                && !match.group(3).equals(NO_SPAN);
        return right ? new String[] {match.group(2), match.group(4)} : null;
    }

    static String newTraceId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return HEX.toHexDigits(random.nextLong()) + HEX.toHexDigits(random.nextLong() | 1);
    }

    /** The context of one attempt: the caller's trace, a span id of its own. */
    static String traceparent(String traceId, String flags) {
        return "00-" + traceId + "-"
                + HEX.toHexDigits(ThreadLocalRandom.current().nextLong() | 1) + "-" + flags;
    }
}
