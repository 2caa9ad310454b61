package io.sluice.tenants;

import java.util.regex.Pattern;

/** What an id may look like: the same rule for tenants, apps, providers, models, pools and scenarios. */
public final class Ids {
    /**
     * Letters, digits and {@code . _ : / @ + -}, at most 128 characters, beginning with a letter or digit. Slash and colon are
     * allowed because model names of real providers have them ({@code org/name:tag}).
     */
    public static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}");

    /** The rule of {@link #PATTERN} in words, for error messages. */
    public static final String RULE =
            "1 to 128 letters, digits or . _ : / @ + -, beginning with a letter or digit, without '..' or '//'";

    private Ids() {}

    /** Whether {@code id} follows {@link #RULE}. */
    public static boolean valid(String id) {
        return id != null && PATTERN.matcher(id).matches() && !id.contains("..") && !id.contains("//");
    }

    /** Returns {@code id}, or throws {@link IllegalArgumentException} naming {@code what}. */
    public static String require(String what, String id) {
        if (!valid(id)) {
            throw new IllegalArgumentException(what + " must be " + RULE);
        }
        return id;
    }
}
