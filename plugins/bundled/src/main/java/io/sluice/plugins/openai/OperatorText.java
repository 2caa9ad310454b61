package io.sluice.plugins.openai;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a provider's words fit for logs and callers: short, on one line, without anything that looks like a key, that tells
 * where the provider stands, or that shows its source.
 */
final class OperatorText {
    /** Long enough for every real message seen; some providers echo the prompt in theirs. */
    static final int CHARS_MAX = 300;

    /** Looked at before cutting, so that a key across the cut is still found. */
    private static final int SCANNED_CHARS_MAX = 4 * CHARS_MAX;

    private static final Pattern KEY = Pattern.compile(
            "(?i)\\bbearer\\s+[^\\s\"',;]+|\\bgw_live_[\\w-]+|\\b(?:sk|pk|rk|gsk|xai|hf|key|api)[-_][\\w*.-]{6,}|\\bAIza[\\w-]{10,}"
                    + "|\\beyJ[\\w-]{10,}\\.[\\w.-]+|\\b[A-Za-z0-9+/_-]{40,}={0,2}");

    /** Addresses with or without credentials, IPv4 hosts, local hosts with a port, absolute paths of three and more parts. */
    private static final Pattern PLACE = Pattern.compile("\\b[A-Za-z][A-Za-z0-9+.-]{0,15}://[^\\s\"'<>,;)]+"
            + "|\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d{1,5})?\\b"
            + "|\\blocalhost(?::\\d{1,5})?\\b"
            + "|(?<![\\w./])(?:/[\\w.-]+){3,}");

    /** Where a stack trace of Python, Java or JavaScript begins. */
    private static final Pattern TRACE = Pattern.compile(
            "Traceback \\(most recent|File \"[^\"]*\", line \\d|\\bat [\\w.$<>/ ]{1,200}\\([^()\\s]{1,200}:\\d+\\)");

    private static final Pattern BLANKS = Pattern.compile("[\\s\\p{Cc}\\p{Zl}\\p{Zp}]+");

    /** Signs without a width that turn or hide text; the two joiners are part of how some languages are written. */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cf}&&[^\\u200C\\u200D]]+");

    private OperatorText() {}

    static String of(String words) {
        String start = words.length() > SCANNED_CHARS_MAX ? words.substring(0, SCANNED_CHARS_MAX) : words;
        String seen = UNSEEN.matcher(start).replaceAll("");
        String plain = BLANKS.matcher(seen).replaceAll(" ").strip();
        Matcher trace = TRACE.matcher(plain);
        String said = trace.find() ? plain.substring(0, trace.start()) + "(stack trace left out)" : plain;
        String placeless = PLACE.matcher(said).replaceAll("***");
        String clean = KEY.matcher(placeless).replaceAll("***");
        if (clean.length() <= CHARS_MAX) {
            return clean;
        }
        int end = Character.isHighSurrogate(clean.charAt(CHARS_MAX - 2)) ? CHARS_MAX - 2 : CHARS_MAX - 1;
        return clean.substring(0, end) + "…";
    }
}
