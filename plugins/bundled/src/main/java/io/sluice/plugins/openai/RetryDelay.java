package io.sluice.plugins.openai;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.plugins.api.UpstreamHeaders;
import io.sluice.tenants.failure.FailureClass;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a provider wants to be left alone, from the many places where providers say so. Pure; the result is between 0 and
 * {@link #MS_MAX}, whatever they say.
 */
final class RetryDelay {
    /** Longer waits are the breaker's business: a header must not take a target out for a day (bad-input row 71). */
    static final long MS_MAX = 60_000;

    /** Go's way to write a duration: {@code 6m0s}, {@code 1.5s}, {@code 20ms}. */
    private static final Pattern GO_DURATION = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|h|m|s)");

    private static final Pattern IN_TEXT =
            Pattern.compile("(?i)(?:try again|retry) (?:in|after) (\\d{1,9}(?:\\.\\d{1,9})?) ?(ms|s|m)");

    /** Below this a reset is a duration in seconds, above it seconds since 1970, above {@link #EPOCH_MS_MIN} milliseconds. */
    private static final double EPOCH_S_MIN = 1e9;

    private static final double EPOCH_MS_MIN = 1e12;

    private RetryDelay() {}

    /** Milliseconds; 0 where nobody said or nobody can tell. */
    static long ms(UpstreamHeaders headers, ErrorBody error, FailureClass failure, Instant now) {
        for (String name : new String[] {"retry-after-ms", "x-ms-retry-after-ms"}) {
            OptionalDouble ms = number(headers.get(name));
            if (ms.isPresent()) {
                return clamp(ms.getAsDouble());
            }
        }
        String after = headers.get("retry-after");
        if (after != null) {
            OptionalDouble seconds = number(after);
            return clamp(seconds.isPresent() ? 1000 * seconds.getAsDouble() : untilDate(after.strip(), now));
        }
        double body = fromBody(error, now);
        if (body > 0 || failure != FailureClass.RATE_LIMITED) {
            return clamp(body);
        }
        return clamp(Math.max(
                reset(headers, "x-ratelimit-reset-requests", "x-ratelimit-remaining-requests", now),
                Math.max(
                        reset(headers, "x-ratelimit-reset-tokens", "x-ratelimit-remaining-tokens", now),
                        reset(headers, "x-ratelimit-reset", "x-ratelimit-remaining", now))));
    }

    private static long clamp(double ms) {
        return ms > 0 ? (long) Math.min(MS_MAX, Math.ceil(ms)) : 0;
    }

    private static OptionalDouble number(String text) {
        if (text == null || !text.strip().matches("-?\\d{1,15}(\\.\\d{1,15})?")) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(Double.parseDouble(text.strip()));
    }

    /** The day of the week is left out: a server that gets it wrong still means the date. */
    private static double untilDate(String date, Instant now) {
        String plain = date.substring(date.indexOf(',') + 1).strip();
        try {
            Instant until = ZonedDateTime.parse(plain, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return until.toEpochMilli() - (double) now.toEpochMilli();
        } catch (DateTimeException noDate) {
            return 0;
        }
    }

    /** A limit that has room left is not the one that was hit. */
    private static double reset(UpstreamHeaders headers, String reset, String remaining, Instant now) {
        OptionalDouble left = number(headers.get(remaining));
        return left.isPresent() && left.getAsDouble() > 0 ? 0 : untilResetMs(headers.get(reset), now);
    }

    /** Milliseconds until a limit's reset, -1 where none is said; at most {@link #MS_MAX}. */
    static long resetMs(String text, Instant now) {
        if (text == null) {
            return -1;
        }
        try {
            String stripped = text.strip();
            double ms = stripped.indexOf('T') > 0
                    ? Instant.parse(stripped).toEpochMilli() - (double) now.toEpochMilli()
                    : untilResetMs(stripped, now);
            return clamp(ms);
        } catch (DateTimeException noInstant) {
            return -1;
        }
    }

    /** A whole number that is not negative; -1 for anything else. */
    static long whole(String text) {
        OptionalDouble number = number(text);
        return number.isPresent() && number.getAsDouble() >= 0 ? (long) number.getAsDouble() : -1;
    }

    private static double untilResetMs(String text, Instant now) {
        OptionalDouble number = number(text);
        if (number.isPresent()) {
            double value = number.getAsDouble();
            return value > EPOCH_MS_MIN
                    ? value - now.toEpochMilli()
                    : value > EPOCH_S_MIN ? 1000 * value - now.toEpochMilli() : 1000 * value;
        }
        return text == null ? 0 : duration(text.strip());
    }

    private static double duration(String text) {
        Matcher part = GO_DURATION.matcher(text);
        double ms = 0;
        int end = 0;
        while (part.find() && part.start() == end) {
            ms += Double.parseDouble(part.group(1)) * unitMs(part.group(2));
            end = part.end();
        }
        return end == text.length() ? ms : 0;
    }

    private static double unitMs(String unit) {
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            default -> 3_600_000;
        };
    }

    /** Gemini's {@code retryDelay}, OpenRouter's header within the body, and the words of the message. */
    private static double fromBody(ErrorBody error, Instant now) {
        if (error.json() == null) {
            return 0;
        }
        JsonNode root = error.json().isArray() ? error.json().path(0) : error.json();
        JsonNode object = root.path("error");
        for (JsonNode detail : object.path("details")) {
            if (detail.path("retryDelay").isTextual()) {
                return duration(detail.path("retryDelay").textValue());
            }
        }
        JsonNode reset = object.path("metadata").path("headers").path("X-RateLimit-Reset");
        if (reset.isTextual() || reset.isNumber()) {
            return untilResetMs(reset.asText(), now);
        }
        String message = error.message();
        Matcher words = IN_TEXT.matcher(message.length() > 2_000 ? message.substring(0, 2_000) : message);
        return words.find() ? Double.parseDouble(words.group(1)) * unitMs(words.group(2)) : 0;
    }
}
