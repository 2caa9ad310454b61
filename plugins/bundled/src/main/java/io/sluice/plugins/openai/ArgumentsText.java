package io.sluice.plugins.openai;

/**
 * The arguments of one tool call as they come in. Follows brackets and quotes character by character, so that the question
 * whether they look complete costs nothing however long they are.
 */
final class ArgumentsText {
    private final StringBuilder text = new StringBuilder();
    private int depth;
    private boolean inString;
    private boolean escaped;
    private boolean opened;

    void append(String piece) {
        text.append(piece);
        for (int i = 0; i < piece.length(); i++) {
            step(piece.charAt(i));
        }
    }

    private void step(char c) {
        if (escaped) {
            escaped = false;
        } else if (inString) {
            escaped = c == '\\';
            inString = c != '"';
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            opened = true;
            depth++;
        } else if (c == '}' || c == ']') {
            depth--;
        }
    }

    int length() {
        return text.length();
    }

    boolean isBlank() {
        return text.toString().isBlank();
    }

    /** Whether an object or array was opened and everything opened is closed: a further piece would not continue it. */
    boolean closed() {
        return opened && depth <= 0 && !inString;
    }

    /** Whether they are one JSON value. */
    boolean wellFormed() {
        return ProviderJson.wellFormed(text);
    }
}
