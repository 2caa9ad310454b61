package io.sluice.plugins.openai;

import java.util.concurrent.ThreadLocalRandom;

/** Ids for tool calls of providers that give none. Unique within a conversation, because they are random. */
@FunctionalInterface
interface CallIds {
    /** 24 characters, as long as OpenAI's: 142 random bits. */
    int CHARS = 24;

    /** Ids of the usual kind. */
    CallIds RANDOM = () -> {
        StringBuilder id = new StringBuilder("call_");
        String alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        for (int i = 0; i < CHARS; i++) {
            id.append(alphabet.charAt(ThreadLocalRandom.current().nextInt(alphabet.length())));
        }
        return id.toString();
    };

    String next();
}
