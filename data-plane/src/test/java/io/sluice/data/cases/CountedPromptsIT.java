package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.decision.PromptRecord.Use;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.money.Vocabulary;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What does not fit by its bytes is counted by the model's own vocabulary, where that is known, and may fit then. Tokens cost one and
 * two micro-units.
 */
class CountedPromptsIT {
    /** 60,000 bytes, 12,000 tokens or so. */
    private static final String WORDS = "they would like some water ".repeat(2_250);

    private static final String SHORT_ANSWER = "\"max_tokens\":10";

    private final ScriptedUpstream upstream = ScriptedUpstream.answering(200, Sse.whole("word", 10, 5));
    private final TestGateway gateway = TestGateway.start(TestConfig.pool(upstream));

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    private static TenantTree serving(TenantTree tree, String nameUpstream) {
        return tree.with(tree.catalog()
                .with(new PoolConfig(
                        new ScopedId(TestConfig.T1, "m1"),
                        1,
                        Tier.STANDARD,
                        List.of(new TargetConfig("up1", "m1", nameUpstream, 100)))));
    }

    private static TenantTree capped(TenantTree tree, String limit) {
        return tree.with(TestConfig.cap(CapPeriod.DAY, limit));
    }

    private Answer ask(String text, String... members) {
        return gateway.client().chat(Client.request(members).replace("hi", text));
    }

    private DecisionRecord recorded(Answer answer) {
        DecisionRecord record = gateway.decision(answer);
        assertThat(DecisionReplay.differences(record)).isEmpty();
        return record;
    }

    @Test
    void aCapThatTheBytesDoNotFitCoversTheCountedPrompt() {
        gateway.changeTenant(tree -> capped(serving(tree, "gpt-4o"), "0.03"));
        Answer answer = ask(WORDS, SHORT_ANSWER);

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        DecisionRecord record = recorded(answer);
        assertThat(record.prompt().uses()).containsExactly(Use.MONEY);
        assertThat(record.prompt().bytesMax()).isGreaterThan(WORDS.length());
        assertThat(record.prompt().counts()).singleElement().satisfies(count -> {
            assertThat(count.vocabulary()).isEqualTo(Vocabulary.O200K);
            assertThat(count.tokens()).isBetween(10_000L, 14_000L);
        });
    }

    @Test
    void aShortPromptIsCountedToo() {
        gateway.changeTenant(tree -> capped(serving(tree, "gpt-4o"), "0.0008"));
        Answer answer = ask(WORDS.substring(0, 1_800), SHORT_ANSWER);

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(recorded(answer).prompt().uses()).containsExactly(Use.MONEY);
    }

    @Test
    void aSecondAttemptThatTheBytesDoNotFitIsMadeWhereTheCountFits() {
        ScriptedUpstream breaking = ScriptedUpstream.playing((request, wire) -> {
            wire.raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{\"id\":");
            wire.close();
        });
        try (TestGateway chain = TestGateway.start(TestConfig.chain(breaking, upstream))) {
            chain.changeTenant(tree -> capped(rung(rung(tree, 1), 2), "0.0023"));
            Answer answer = chain.client().chat(Client.request(SHORT_ANSWER).replace("hi", WORDS.substring(0, 1_800)));

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            DecisionRecord record = chain.decision(answer);
            assertThat(record.attempts()).hasSizeGreaterThan(1);
            assertThat(record.attempts().get(0).cost().micros()).isPositive();
            assertThat(record.prompt().uses()).containsExactly(Use.MONEY);
        } finally {
            breaking.close();
        }
    }

    private static TenantTree rung(TenantTree tree, int n) {
        return tree.with(tree.catalog()
                .with(new PoolConfig(
                        new ScopedId(TestConfig.T1, "pool" + n),
                        1,
                        Tier.STANDARD,
                        List.of(new TargetConfig("up" + n, "m1", "gpt-4o", 100)))));
    }

    @Test
    void aModelWhoseVocabularyNobodyKnowsKeepsItsBound() {
        gateway.changeTenant(tree -> capped(serving(tree, "m1"), "0.03"));
        Answer answer = ask(WORDS, SHORT_ANSWER);

        assertThat(answer.status()).isEqualTo(402);
        assertThat(upstream.requests()).isEmpty();
        assertThat(recorded(answer).prompt()).isNull();
    }

    @Test
    void whatNeitherBytesNorCountFitIsRefusedAndTheRecordSaysSo() {
        gateway.changeTenant(tree -> capped(serving(tree, "gpt-4o"), "0.005"));
        Answer answer = ask(WORDS, SHORT_ANSWER);

        assertThat(answer.status()).isEqualTo(402);
        assertThat(recorded(answer).prompt().uses()).containsExactly(Use.MONEY);
    }

    @Test
    void whatFitsByItsBytesIsNotCounted() {
        gateway.changeTenant(tree -> capped(serving(tree, "gpt-4o"), "1"));
        Answer answer = ask(WORDS, SHORT_ANSWER);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(recorded(answer).prompt()).isNull();
    }

    @Test
    void aWindowThatSeemsTooSmallIsTakenWhereTheCountFits() {
        gateway.changeTenant(tree -> windowed(serving(tree, "gpt-4o"), 14_000));
        Answer answer = ask(WORDS, SHORT_ANSWER);

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        DecisionRecord record = recorded(answer);
        assertThat(record.input().request().promptTokens()).isGreaterThan(14_000);
        assertThat(record.input().ladder().get(0).targets().get(0).promptTokens())
                .isBetween(10_000, 14_000);
        assertThat(record.prompt().uses()).containsExactly(Use.WINDOW);
    }

    @Test
    void aWindowThatIsTooSmallByCountIsLeftOut() {
        gateway.changeTenant(tree -> windowed(serving(tree, "gpt-4o"), 9_000));
        Answer answer = ask(WORDS, SHORT_ANSWER);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("context_length_exceeded");
        assertThat(recorded(answer).prompt().uses()).containsExactly(Use.WINDOW);
    }

    @Test
    void aHigherRungIsNotLeftForAWindowThatFitsByCount() {
        gateway.changeTenant(tree -> {
            TenantTree small = windowed(serving(tree, "gpt-4o"), 14_000);
            return small.with(small.catalog()
                            .with(new ModelConfig(
                                    new ScopedId(TestConfig.T1, "large"), 1, 100_000, 1_000, true, true, true))
                            .with(new PoolConfig(
                                    new ScopedId(TestConfig.T1, "large"),
                                    1,
                                    Tier.STANDARD,
                                    List.of(new TargetConfig("up1", "large", null, 100)))))
                    .with(TestConfig.scenario(List.of(
                            new RungConfig.Pool("first", "m1", null, null),
                            new RungConfig.Pool("second", "large", null, null))));
        });

        assertThat(ask(WORDS, SHORT_ANSWER).header("x-sluice-step")).isEqualTo("first");
    }

    private static TenantTree windowed(TenantTree tree, int window) {
        return tree.with(tree.catalog()
                .with(new ModelConfig(new ScopedId(TestConfig.T1, "m1"), 1, window, 1_000, true, true, true)));
    }

    @Test
    void aLimitOnTokensThatTheEstimateExceedsLetsTheCountIn() {
        gateway.changeTenant(tree -> limited(serving(tree, "gpt-4o"), 14_000));
        Answer answer = ask(WORDS, SHORT_ANSWER);

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        DecisionRecord record = recorded(answer);
        assertThat(record.limits().input().tokens()).isBetween(10_000L, 14_000L);
        assertThat(record.prompt().uses()).containsExactly(Use.LIMIT);
    }

    @Test
    void aLimitOnTokensHoldsForModelsThatCanNotBeCounted() {
        gateway.changeTenant(tree -> limited(serving(tree, "m1"), 14_000));

        assertThat(ask(WORDS, SHORT_ANSWER).status()).isEqualTo(429);
    }

    private static TenantTree limited(TenantTree tree, int tokens) {
        TenantConfig now = tree.tenant();
        return tree.with(new TenantConfig(
                now.id(),
                now.version(),
                now.displayName(),
                now.timeZone(),
                now.currency(),
                false,
                now.calendar(),
                new LimitsConfig(null, tokens, null),
                now.endUserLimits()));
    }
}
