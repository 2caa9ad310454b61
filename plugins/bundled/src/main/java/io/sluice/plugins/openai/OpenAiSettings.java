package io.sluice.plugins.openai;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.plugins.api.ProviderSettings;
import io.sluice.plugins.api.SettingProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The settings of an OpenAI-compatible provider.
 *
 * @param baseUrl where it listens
 * @param maxTokensField setting {@code maxTokensField}: the name under which the longest answer is asked for
 * @param authHeader setting {@code authHeader}: the header that carries the credential
 * @param warmPing setting {@code warmPing}: whether the list of models may be asked for while the provider is idle
 */
record OpenAiSettings(BaseUrl baseUrl, MaxTokensField maxTokensField, AuthHeader authHeader, boolean warmPing) {
    static final String MAX_TOKENS_FIELD = "maxTokensField";
    static final String AUTH_HEADER = "authHeader";
    static final String WARM_PING = "warmPing";

    /** How a provider calls the cap on the answer. */
    enum MaxTokensField {
        /** Whichever the caller used; {@code max_completion_tokens} where both came. */
        AS_SENT("as-sent"),
        /** Ollama, older vLLM, DeepSeek and most others. */
        MAX_TOKENS("max_tokens"),
        /** OpenAI's reasoning models refuse the old name. */
        MAX_COMPLETION_TOKENS("max_completion_tokens");

        final String word;

        MaxTokensField(String word) {
            this.word = word;
        }
    }

    /** Where the credential goes. */
    enum AuthHeader {
        /** {@code authorization: Bearer …}, as everybody but Azure wants it. */
        AUTHORIZATION("authorization"),
        /** {@code api-key: …}, Azure. */
        API_KEY("api-key");

        final String word;

        AuthHeader(String word) {
            this.word = word;
        }
    }

    /** All mistakes at once; empty where {@link #read} will succeed. */
    static List<SettingProblem> check(ProviderSettings settings) {
        List<SettingProblem> problems = new ArrayList<>();
        try {
            BaseUrl.parse(settings.baseUrl());
        } catch (BaseUrl.Unusable unusable) {
            problems.add(new SettingProblem(List.of("baseUrl"), unusable.getMessage()));
        }
        for (String name : new TreeSet<>(settings.settings().keySet())) {
            if (!Set.of(MAX_TOKENS_FIELD, AUTH_HEADER, WARM_PING).contains(name)) {
                problems.add(problem(
                        name, "is unknown; known are " + MAX_TOKENS_FIELD + ", " + AUTH_HEADER + " and " + WARM_PING));
            }
        }
        wordProblem(settings, MAX_TOKENS_FIELD, words(MaxTokensField.values())).ifPresent(problems::add);
        wordProblem(settings, AUTH_HEADER, words(AuthHeader.values())).ifPresent(problems::add);
        JsonNode ping = settings.settings().get(WARM_PING);
        if (ping != null && !ping.isBoolean()) {
            problems.add(problem(WARM_PING, "must be true or false"));
        }
        return problems;
    }

    /** Settings that {@link #check} found right. */
    static OpenAiSettings read(ProviderSettings settings) {
        try {
            return new OpenAiSettings(
                    BaseUrl.parse(settings.baseUrl()),
                    MaxTokensField.values()[choice(settings, MAX_TOKENS_FIELD, words(MaxTokensField.values()))],
                    AuthHeader.values()[choice(settings, AUTH_HEADER, words(AuthHeader.values()))],
                    !settings.settings().containsKey(WARM_PING)
                            || settings.settings().get(WARM_PING).booleanValue());
        } catch (BaseUrl.Unusable unchecked) {
            throw new IllegalArgumentException("baseUrl " + unchecked.getMessage(), unchecked);
        }
    }

    private static List<String> words(MaxTokensField... fields) {
        return Arrays.stream(fields).map(each -> each.word).toList();
    }

    private static List<String> words(AuthHeader... headers) {
        return Arrays.stream(headers).map(each -> each.word).toList();
    }

    private static Optional<SettingProblem> wordProblem(ProviderSettings settings, String name, List<String> words) {
        return choice(settings, name, words) >= 0
                ? Optional.empty()
                : Optional.of(problem(name, "must be one of " + String.join(", ", words)));
    }

    /** Which of {@code words} was written; the first where nothing was; -1 where it is none of them. */
    private static int choice(ProviderSettings settings, String name, List<String> words) {
        JsonNode written = settings.settings().get(name);
        return written == null ? 0 : words.indexOf(written.isTextual() ? written.textValue() : "");
    }

    private static SettingProblem problem(String name, String message) {
        return new SettingProblem(List.of("settings", name), message);
    }
}
