package io.sluice.data.tokens;

import io.sluice.tenants.money.Vocabulary;

/** Counts the tokens of texts. A vocabulary is loaded when it is first asked for; thread-safe. */
public interface TokenCounter {
    /** Whether the vocabulary is loaded, so that counting takes a time that the text's length bounds. */
    boolean ready(Vocabulary vocabulary);

    /** Loads a vocabulary: up to a second of work and some 30 MB of heap. Never on an event loop. */
    void load(Vocabulary vocabulary);

    /** Exactly so many tokens has {@code text}, whose special words are taken for text; loads the vocabulary where it is not. */
    long tokens(Vocabulary vocabulary, String text);
}
