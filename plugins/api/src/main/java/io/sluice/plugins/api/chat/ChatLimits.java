package io.sluice.plugins.api.chat;

/**
 * What a request may contain at most. Each limit stops an input that costs more than it can be worth.
 *
 * @param messagesMax longer histories are cut by their owners; agents seen in the field stay below 2,000
 * @param partsMax content parts of one message
 * @param toolsMax OpenAI's own limit is 128
 * @param toolsBytesMax all tool definitions together
 * @param metadataBytesMax the member {@code metadata}; OpenAI allows 16 pairs of 64 + 512 characters
 * @param keysPerObjectMax more keys in one object are an attack on hash tables (bad-input row 46)
 * @param tokensMax JSON tokens outside {@code messages}
 * @param imageUrlCharsMax one data URL
 */
public record ChatLimits(
        int messagesMax,
        int partsMax,
        int toolsMax,
        int toolsBytesMax,
        int metadataBytesMax,
        int keysPerObjectMax,
        int tokensMax,
        int imageUrlCharsMax) {
    public static final ChatLimits DEFAULT =
            new ChatLimits(10_000, 1_000, 128, 1 << 20, 64 << 10, 1_000, 20_000, 16 << 20);
}
