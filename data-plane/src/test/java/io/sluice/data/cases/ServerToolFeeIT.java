package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.PriceBook;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A model whose provider takes a cent for each search. Tokens cost one and two micro-units. */
class ServerToolFeeIT {
    private static final String SEARCH = "\"web_search_options\":{\"search_context_size\":\"low\"}";

    private final ScriptedUpstream upstream = ScriptedUpstream.answering(200, "{}");
    private final TestGateway gateway = TestGateway.start(TestConfig.pool(upstream));

    @BeforeEach
    void price() {
        answers(null);
        gateway.changeTenant(tree -> tree.with(tree.catalog()
                .withPrices(
                        "m1",
                        new PriceBook(List.of(new Price(
                                Instant.EPOCH,
                                Money.of("1"),
                                Money.of("2"),
                                null,
                                null,
                                null,
                                null,
                                Money.of("0.01"),
                                null,
                                null,
                                null,
                                null,
                                null))))));
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    /** 100 tokens and 50: 200 micro-units without searches. {@code searches} null where the provider does not say. */
    private void answers(Integer searches) {
        String tokens = Sse.usage(100, 50);
        String usage = searches == null
                ? tokens
                : tokens.substring(0, tokens.length() - 1) + ",\"server_tool_use\":{\"web_search_requests\":" + searches
                        + "}}";
        upstream.play((request, wire) -> {
            if (request.body().contains("\"stream\":true")) {
                String use = Sse.use(100, 50).replace(tokens, usage);
                wire.stream()
                        .chunk(Sse.c("word") + Sse.fin("stop") + use + Sse.DONE)
                        .end();
            } else {
                wire.json(200, Sse.whole("word", 100, 50).replace(tokens, usage));
            }
        });
    }

    private void capped(String limit) {
        gateway.changeTenant(tree -> tree.with(TestConfig.cap(CapPeriod.DAY, limit)));
    }

    private DecisionRecord ask(String... members) {
        Answer answer = gateway.client().chat(Client.request(members));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return gateway.decision(answer);
    }

    @Test
    void searchesThatTheProviderReportsAreCharged() {
        answers(3);
        DecisionRecord record = ask(SEARCH);

        assertThat(record.cost()).isEqualTo(Money.of("0.0302"));
        assertThat(record.attempts().get(0).usage().serverToolCalls()).isEqualTo(3);
    }

    @Test
    void searchesOfAStreamAreCharged() {
        answers(2);

        assertThat(ask("\"stream\":true", SEARCH).cost()).isEqualTo(Money.of("0.0202"));
    }

    @Test
    void whereTheProviderDoesNotSayTheSearchThatWasAskedForIsCharged() {
        assertThat(ask(SEARCH).cost()).isEqualTo(Money.of("0.0102"));
        assertThat(ask().cost()).isEqualTo(new Money(200));
    }

    @Test
    void aModelThatDidNotSearchCostsItsTokens() {
        answers(0);

        assertThat(ask(SEARCH).cost()).isEqualTo(new Money(200));
    }

    @Test
    void theCallersOptionsReachTheProvider() {
        ask(SEARCH);

        assertThat(upstream.requests().get(0).body()).contains(SEARCH);
    }

    /** The context window of 128,000 tokens, since nobody sees how much a search finds, an answer of 100, and the fee. */
    @Test
    void aCapThatDoesNotCoverTheFeeRefuses() {
        String answer = "\"max_tokens\":100";
        capped("0.138199");

        assertThat(gateway.client().chat(Client.request(answer, SEARCH)).status())
                .isEqualTo(402);
        assertThat(ask(answer).cost()).isEqualTo(new Money(200));
    }

    @Test
    void aCapThatCoversTheFeeIsEnough() {
        capped("0.1382");

        assertThat(ask("\"max_tokens\":100", SEARCH).cost()).isEqualTo(Money.of("0.0102"));
    }
}
