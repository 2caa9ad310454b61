package io.sluice.plugins.api;

/** How a provider words its answers. An answer in the caller's own dialect may be relayed without being rewritten. */
public enum Dialect {
    /** {@code chat.completion} and {@code chat.completion.chunk} objects. */
    OPENAI_CHAT,
    /** Anything else: answers are rendered from canonical events. */
    OTHER
}
