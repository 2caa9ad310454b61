package io.sluice.data.request;

import io.sluice.data.limit.RateFigures;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** The six {@code x-ratelimit} headers in the form of OpenAI's (wire facts 1.3), of those limits that are set. */
final class RateHeaders {
    private static final CharSequence LIMIT_REQUESTS = HttpHeaders.createOptimized("x-ratelimit-limit-requests");
    private static final CharSequence LEFT_REQUESTS = HttpHeaders.createOptimized("x-ratelimit-remaining-requests");
    private static final CharSequence RESET_REQUESTS = HttpHeaders.createOptimized("x-ratelimit-reset-requests");
    private static final CharSequence LIMIT_TOKENS = HttpHeaders.createOptimized("x-ratelimit-limit-tokens");
    private static final CharSequence LEFT_TOKENS = HttpHeaders.createOptimized("x-ratelimit-remaining-tokens");
    private static final CharSequence RESET_TOKENS = HttpHeaders.createOptimized("x-ratelimit-reset-tokens");

    /** Their names, for browsers that may read them. */
    static final String NAMES = "x-ratelimit-limit-requests, x-ratelimit-remaining-requests, "
            + "x-ratelimit-reset-requests, x-ratelimit-limit-tokens, x-ratelimit-remaining-tokens, "
            + "x-ratelimit-reset-tokens";

    private static final long MS_PER_S = 1_000;
    private static final long MS_PER_MINUTE = 60_000;

    private RateHeaders() {}

    static void set(HttpServerResponse response, RateFigures figures) {
        MultiMap headers = response.headers();
        if (figures.requests() != null) {
            headers.set(LIMIT_REQUESTS, Integer.toString(figures.requests().limit()));
            headers.set(LEFT_REQUESTS, Long.toString(figures.requests().remaining()));
            headers.set(RESET_REQUESTS, duration(figures.requests().resetMs()));
        }
        if (figures.tokens() != null) {
            headers.set(LIMIT_TOKENS, Integer.toString(figures.tokens().limit()));
            headers.set(LEFT_TOKENS, Long.toString(figures.tokens().remaining()));
            headers.set(RESET_TOKENS, duration(figures.tokens().resetMs()));
        }
    }

    /** As Go writes a duration: {@code 20ms}, {@code 1.5s}, {@code 1m0s}. */
    static String duration(long ms) {
        if (ms < MS_PER_S) {
            return ms == 0 ? "0s" : ms + "ms";
        }
        long minutes = ms / MS_PER_MINUTE;
        long rest = ms % MS_PER_MINUTE;
        StringBuilder text = new StringBuilder(12);
        if (minutes > 0) {
            text.append(minutes).append('m');
        }
        text.append(rest / MS_PER_S);
        if (rest % MS_PER_S != 0) {
            String thousandths = Long.toString(MS_PER_S + rest % MS_PER_S);
            int end = thousandths.length();
            while (thousandths.charAt(end - 1) == '0') {
                end--;
            }
            text.append('.').append(thousandths, 1, end);
        }
        return text.append('s').toString();
    }
}
