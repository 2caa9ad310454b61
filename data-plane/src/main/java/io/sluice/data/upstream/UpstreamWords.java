package io.sluice.data.upstream;

import io.sluice.plugins.api.Secret;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes the words of a failed call fit to go on, to callers, logs, records and checks: without the credential that the call was
 * made with, however a provider or a plugin came to say it, and without signs that change how a line is read. Plugins mask what
 * looks like a key; only here is known what the key is. Pure.
 */
final class UpstreamWords {
    /** Longest message that goes on, in characters; plugins keep theirs shorter. */
    static final int CHARS_MAX = 2_000;

    /** Looked at before cutting, so that a credential across the cut is found. */
    private static final int READ_CHARS_MAX = 2 * CHARS_MAX;

    /**
     * Shortest credential, and shortest rest of one, that is masked, in characters. Fewer protect nothing, and stars for every
     * such letter of a message would tell which it is and leave nothing to read.
     */
    static final int SECRET_CHARS_MIN = 4;

    private static final String STARS = "***";

    /** All controls, also those of Latin-1, and what breaks a line outside ASCII. */
    private static final Pattern BREAKS = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]+");

    /** Signs without a width that turn or hide text; the two joiners are part of how some languages are written. */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cf}&&[^\\u200C\\u200D]]+");

    /** Where a plugin took something out or cut. */
    private static final Pattern CUT = Pattern.compile("\\*{3}|…");

    private UpstreamWords() {}

    /**
     * {@code words} without {@code credential}.
     *
     * @param words null where there are none
     * @return null for null
     */
    static String of(String words, Optional<Secret> credential) {
        if (words == null) {
            return null;
        }
        String start = words.substring(0, Math.min(words.length(), READ_CHARS_MAX));
        String line = UNSEEN.matcher(BREAKS.matcher(start).replaceAll(" ")).replaceAll("");
        String secret = credential.map(Secret::reveal).map(String::strip).orElse("");
        String clean = secret.length() < SECRET_CHARS_MIN ? line : without(line, forms(secret));
        return clean.length() <= CHARS_MAX ? clean : cut(clean);
    }

    private static String cut(String words) {
        int end = Character.isHighSurrogate(words.charAt(CHARS_MAX - 2)) ? CHARS_MAX - 2 : CHARS_MAX - 1;
        return words.substring(0, end) + "…";
    }

    private static String without(String line, Set<String> forms) {
        Pattern any = Pattern.compile(
                forms.stream()
                        .sorted(Comparator.comparing(String::length).reversed())
                        .map(Pattern::quote)
                        .collect(Collectors.joining("|")),
                Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        return withoutRests(any.matcher(line).replaceAll(STARS), forms);
    }

    /** A plugin that masks by pattern or cuts may leave a part of the credential beside its stars or dots. */
    private static String withoutRests(String line, Set<String> forms) {
        StringBuilder clean = new StringBuilder(line);
        Matcher cut = CUT.matcher(line);
        int moved = 0;
        while (cut.find()) {
            int before = restBefore(clean, cut.start() + moved, forms);
            int after = restAfter(clean, cut.end() + moved, forms);
            clean.delete(cut.end() + moved, cut.end() + moved + after);
            clean.replace(cut.start() + moved - before, cut.start() + moved, before > 0 ? STARS : "");
            moved += (before > 0 ? STARS.length() : 0) - before - after;
        }
        return clean.toString();
    }

    private static int restBefore(StringBuilder line, int end, Set<String> forms) {
        int length = 0;
        while (length < end && within(forms, line.substring(end - length - 1, end))) {
            length++;
        }
        return length < SECRET_CHARS_MIN ? 0 : length;
    }

    private static int restAfter(StringBuilder line, int start, Set<String> forms) {
        int length = 0;
        while (start + length < line.length() && within(forms, line.substring(start, start + length + 1))) {
            length++;
        }
        return length < SECRET_CHARS_MIN ? 0 : length;
    }

    private static boolean within(Set<String> forms, String part) {
        return forms.stream().anyMatch(form -> form.contains(part));
    }

    /** As it is, as it stands in addresses, in JSON and in JavaScript, and in Base64, by itself or after a user's name. */
    private static Set<String> forms(String secret) {
        Set<String> forms = new LinkedHashSet<>();
        String line = UNSEEN.matcher(BREAKS.matcher(secret).replaceAll(" ")).replaceAll("");
        forms.add(secret);
        forms.add(line);
        forms.add(line.replaceAll("\\s+", " "));
        forms.add(secret.replace("\\", "\\\\").replace("\"", "\\\""));
        String encoded = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        forms.add(encoded);
        forms.add(encoded.replace("+", "%20"));
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        for (int before = 0; before < 3; before++) {
            String base64 = base64(bytes, before);
            forms.add(base64);
            forms.add(base64.replace('+', '-').replace('/', '_'));
        }
        forms.removeIf(form -> form.length() < SECRET_CHARS_MIN);
        return forms;
    }

    /** The letters that depend on {@code bytes} alone where {@code before} others stand before them, modulo three. */
    private static String base64(byte[] bytes, int before) {
        byte[] shifted = new byte[before + bytes.length];
        System.arraycopy(bytes, 0, shifted, before, bytes.length);
        int from = (before * 8 + 5) / 6;
        return Base64.getEncoder()
                .withoutPadding()
                .encodeToString(shifted)
                .substring(from, Math.max(from, shifted.length * 8 / 6));
    }
}
