package io.sluice.tenants.money;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VocabularyTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gpt-4o",
                "gpt-4o-mini-2024-07-18",
                "gpt-4.1-mini",
                "gpt-5",
                "gpt-5-nano",
                "gpt-5.4",
                "gpt-6.1",
                "o3-mini",
                "openai/gpt-4o",
                "ft:gpt-4o-2024-08-06:org::id"
            })
    void newerModelsShareOne(String name) {
        assertThat(Vocabulary.of(name)).contains(Vocabulary.O200K);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpt-4", "gpt-4-0613", "gpt-4-turbo", "gpt-3.5-turbo-16k", "gpt-35-turbo"})
    void olderModelsShareOne(String name) {
        assertThat(Vocabulary.of(name)).contains(Vocabulary.CL100K);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "m1",
                "gpt-40",
                "gpt-4.2",
                "gpt-7",
                "gpt-oss-120b",
                "o30",
                "claude-sonnet-5",
                "anthropic/gpt-4o",
                "gemini-3-pro",
                "my-gpt-4o"
            })
    void aForeignOrUnknownModelHasNone(String name) {
        assertThat(Vocabulary.of(name)).isEmpty();
    }
}
