package io.sluice.plugins.openai;

import io.sluice.plugins.api.QuotaFigures;
import io.sluice.plugins.api.QuotaFigures.Window;
import io.sluice.plugins.api.UpstreamHeaders;
import java.time.Instant;

/**
 * The limits of an account from the headers of OpenAI ({@code x-ratelimit-remaining-tokens}, with Go durations), of Anthropic
 * ({@code anthropic-ratelimit-tokens-remaining}, with points in time) and of those that have one limit only
 * ({@code x-ratelimit-remaining}). Some send -1 or 0 where they do not know (Azure): that is no figure. Pure.
 */
final class QuotaHeaders {
    private static final String ANTHROPIC = "anthropic-ratelimit-";

    private QuotaHeaders() {}

    static QuotaFigures read(UpstreamHeaders headers, Instant now) {
        if (!headers.mayHave("ratelimit")) {
            return QuotaFigures.NONE;
        }
        QuotaFigures openAi = new QuotaFigures(openAi(headers, "-requests", now), openAi(headers, "-tokens", now));
        if (!openAi.saysNothing()) {
            return openAi;
        }
        Window tokens = anthropic(headers, "tokens", now);
        QuotaFigures anthropic = new QuotaFigures(
                anthropic(headers, "requests", now),
                tokens.equals(Window.UNKNOWN)
                        ? scarcer(anthropic(headers, "input-tokens", now), anthropic(headers, "output-tokens", now))
                        : tokens);
        return anthropic.saysNothing() ? new QuotaFigures(openAi(headers, "", now), Window.UNKNOWN) : anthropic;
    }

    private static Window openAi(UpstreamHeaders headers, String what, Instant now) {
        return window(
                headers.get("x-ratelimit-limit" + what),
                headers.get("x-ratelimit-remaining" + what),
                headers.get("x-ratelimit-reset" + what),
                now);
    }

    private static Window anthropic(UpstreamHeaders headers, String what, Instant now) {
        return window(
                headers.get(ANTHROPIC + what + "-limit"),
                headers.get(ANTHROPIC + what + "-remaining"),
                headers.get(ANTHROPIC + what + "-reset"),
                now);
    }

    private static Window window(String limit, String remaining, String reset, Instant now) {
        if (remaining == null && limit == null) {
            return Window.UNKNOWN;
        }
        long most = RetryDelay.whole(limit);
        long left = RetryDelay.whole(remaining);
        boolean unknown = (limit != null && most <= 0) || (left < 0 && most < 0);
        return unknown ? Window.UNKNOWN : new Window(most, left, RetryDelay.resetMs(reset, now));
    }

    /** The one of which the smaller part is left. */
    private static Window scarcer(Window one, Window other) {
        return part(other) < part(one) ? other : one;
    }

    private static double part(Window window) {
        return window.limit() > 0 && window.remaining() >= 0
                ? (double) window.remaining() / window.limit()
                : Double.MAX_VALUE;
    }
}
