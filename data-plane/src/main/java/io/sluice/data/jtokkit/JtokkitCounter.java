package io.sluice.data.jtokkit;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import io.sluice.data.tokens.TokenCounter;
import io.sluice.tenants.money.Vocabulary;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts by the vocabularies that the library brings. Which model has which is not asked of it: it takes gpt-4.1 for a gpt-4, and
 * does not know later ones.
 */
public final class JtokkitCounter implements TokenCounter {
    private final EncodingRegistry registry = Encodings.newLazyEncodingRegistry();
    private final Map<Vocabulary, Encoding> loaded = new ConcurrentHashMap<>();

    @Override
    public boolean ready(Vocabulary vocabulary) {
        return loaded.containsKey(vocabulary);
    }

    @Override
    public void load(Vocabulary vocabulary) {
        encoding(vocabulary);
    }

    @Override
    public long tokens(Vocabulary vocabulary, String text) {
        return encoding(vocabulary).countTokensOrdinary(text);
    }

    private Encoding encoding(Vocabulary vocabulary) {
        Encoding ready = loaded.get(vocabulary); // an event loop never waits for the other one to be loaded
        return ready == null ? loaded.computeIfAbsent(vocabulary, this::loadedNow) : ready;
    }

    private Encoding loadedNow(Vocabulary vocabulary) {
        return registry.getEncoding(
                switch (vocabulary) {
                    case O200K -> EncodingType.O200K_BASE;
                    case CL100K -> EncodingType.CL100K_BASE;
                });
    }
}
