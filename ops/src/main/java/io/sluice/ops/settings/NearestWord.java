package io.sluice.ops.settings;

import java.util.Collection;
import java.util.Comparator;

/** Finds what a person probably meant. */
final class NearestWord {
    private NearestWord() {}

    /** The word of {@code words} that takes the fewest insertions, removals and exchanges of characters to make. */
    static String among(Collection<String> words, String typed) {
        return words.stream()
                .min(Comparator.comparingInt((String word) -> nearness(word, typed))
                        .thenComparing(word -> word))
                .orElseThrow();
    }

    /** A key that was typed without its section is compared with the last part of the word too. */
    private static int nearness(String word, String typed) {
        int whole = distance(word, typed);
        return typed.indexOf('.') >= 0
                ? whole
                : Math.min(whole, distance(word.substring(word.lastIndexOf('.') + 1), typed));
    }

    /** Levenshtein's distance, letter case aside. */
    static int distance(String left, String right) {
        int[] row = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int above = row[j];
                int exchanged = diagonal + (same(left.charAt(i - 1), right.charAt(j - 1)) ? 0 : 1);
                row[j] = Math.min(exchanged, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[right.length()];
    }

    private static boolean same(char a, char b) {
        return Character.toLowerCase(a) == Character.toLowerCase(b);
    }
}
