package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.PriceBook;
import io.sluice.tenants.money.PriceFactor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Prices with factors: flex costs half, priority twice, the provider's region a tenth more. Tokens cost one and two micro-units. */
class ServiceTierIT {
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
                                null,
                                List.of(),
                                List.of(),
                                List.of(new PriceFactor("flex", 50), new PriceFactor("priority", 200)),
                                List.of(new PriceFactor("eu-west", 110)),
                                null))))));
    }

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    /** 100 tokens and 50: 200 micro-units as the price stands. {@code tier} null for an answer that says none. */
    private void answers(String tier) {
        String said = tier == null ? "" : ",\"service_tier\":\"" + tier + "\"}";
        upstream.play((request, wire) -> {
            if (request.body().contains("\"stream\":true")) {
                String first = Sse.c("word");
                wire.stream()
                        .chunk(tier == null ? first : first.replace("}\n\n", said + "\n\n"))
                        .chunk(Sse.fin("stop") + Sse.use(100, 50) + Sse.DONE)
                        .end();
            } else {
                String whole = Sse.whole("word", 100, 50);
                wire.json(200, tier == null ? whole : whole.substring(0, whole.lastIndexOf('}')) + said);
            }
        });
    }

    private void region(String region) {
        gateway.changeTenant(tree -> tree.with(tree.catalog()
                .with(new ProviderConfig(
                        new ScopedId(TestConfig.T1, "up1"),
                        2,
                        "openai",
                        upstream.baseUrl(),
                        new CredentialRef.Env("UNUSED"),
                        null,
                        region,
                        null,
                        Map.of()))));
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
    void theTierThatTheAnswerReportsIsCharged() {
        answers("flex");
        DecisionRecord record = ask("\"service_tier\":\"priority\"");

        assertThat(record.cost()).isEqualTo(new Money(100));
        assertThat(record.attempts().get(0).serviceTier()).isEqualTo("flex");
    }

    @Test
    void theTierOfAStreamIsCharged() {
        answers("priority");
        DecisionRecord record = ask("\"stream\":true");

        assertThat(record.cost()).isEqualTo(new Money(400));
    }

    @Test
    void whereTheAnswerReportsNoneTheTierThatWasAskedForIsCharged() {
        assertThat(ask("\"service_tier\":\"priority\"").cost()).isEqualTo(new Money(400));
    }

    @Test
    void aTierWithoutAFactorCostsThePrice() {
        answers("default");
        DecisionRecord record = ask("\"service_tier\":\"priority\"");

        assertThat(record.cost()).isEqualTo(new Money(200));
        assertThat(record.attempts().get(0).serviceTier()).isNull();
    }

    @Test
    void theProvidersRegionIsCharged() {
        region("eu-west");
        answers("flex");

        assertThat(ask().cost()).isEqualTo(new Money(110));
    }

    @Test
    void theDearestTierThatTheRequestAllowsIsReserved() {
        // By bytes and answer some 700 micro-units as the price stands.
        capped("0.001");
        String answer = "\"max_tokens\":250";

        assertThat(gateway.client().chat(Client.request(answer)).status()).isEqualTo(402);
        assertThat(gateway.client()
                        .chat(Client.request(answer, "\"service_tier\":\"priority\""))
                        .status())
                .isEqualTo(402);
        assertThat(ask(answer, "\"service_tier\":\"default\"").cost()).isEqualTo(new Money(200));
    }
}
