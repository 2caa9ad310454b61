package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.plugins.bus.Address;
import io.sluice.tenants.Stamp;
import io.sluice.tenants.budget.BandLimits;
import io.sluice.tenants.budget.BandState;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.message.BusMessage.BandsPublished;
import io.sluice.tenants.message.CapBand;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.PriceBook;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a caller sees of a spend cap that runs short. */
class BandCasesIT {
    private static final String CAP = "day-tenant";
    private static final String SORRY = "We are busy.";

    private final ScriptedUpstream upstream = ScriptedUpstream.answering(200, "{}");
    private final TestGateway gateway = TestGateway.start(TestConfig.pool(upstream));

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    @Test
    void withoutACapThereIsNoBand() {
        assertThat(ask().header("x-sluice-budget-band")).isNull();
    }

    @Test
    void aRequestThatIsNotCoreGetsATextWhereMoneyIsVeryShort() throws IOException {
        capped("1", AtExhaustion.REFUSE, false, "{}");
        band(BudgetBand.RESTRICT);

        Answer answer = ask();

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains(SORRY);
        assertThat(answer.header("x-sluice-step")).isEqualTo("sorry");
        assertThat(answer.header("x-sluice-degraded")).startsWith("budget_restricts");
        assertThat(answer.header("x-sluice-budget-band")).isEqualTo("RESTRICT");
        DecisionRecord record = gateway.decision(answer);
        assertThat(record.input().budget().cap()).isEqualTo(CAP);
        assertThat(DecisionReplay.differences(record)).isEmpty();
        assertThat(upstream.requests()).isEmpty();
    }

    @Test
    void aUsedUpCapRefusesAndSaysWhichAndUntilWhen() throws IOException {
        capped("1", AtExhaustion.REFUSE, true, "{}");
        band(BudgetBand.EXHAUSTED);

        Answer answer = ask();

        assertThat(answer.status()).isEqualTo(402);
        assertThat(answer.body()).contains("budget_exhausted", "the day cap of the tenant", "begins anew at 20");
        assertThat(answer.header("x-should-retry")).isEqualTo("false");
        assertThat(answer.header("retry-after")).isNull();
        assertThat(answer.header("x-sluice-budget-band")).isEqualTo("EXHAUSTED");
        assertThat(DecisionReplay.differences(gateway.decision(answer))).isEmpty();
    }

    @Test
    void aScenarioMayRefuseInTheWordsOfOpenAi() throws IOException {
        capped("1", AtExhaustion.REFUSE, true, "{\"refuseWith\":429}");
        band(BudgetBand.EXHAUSTED);

        Answer answer = ask();

        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.body()).contains("\"insufficient_quota\"");
        assertThat(answer.header("x-should-retry")).isEqualTo("false");
    }

    @Test
    void aCapThatDoesNotCoverARequestDegradesItWhereItWantsThat() throws IOException {
        capped("0", AtExhaustion.DEGRADE, true, "{}");

        Answer answer = ask();

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("x-sluice-step")).isEqualTo("sorry");
        assertThat(answer.header("x-sluice-budget-band")).isEqualTo("EXHAUSTED");
        assertThat(DecisionReplay.differences(gateway.decision(answer))).isEmpty();
        assertThat(upstream.requests()).isEmpty();
    }

    @Test
    void noBandAndNoTextHelpsAWriteThatACapDoesNotCover() throws IOException {
        capped("0", AtExhaustion.DEGRADE, true, "{}");
        Answer answer = gateway.client().chat(Client.request(), "x-request-kind", "write");
        assertThat(answer.status()).isEqualTo(402);
        assertThat(upstream.requests()).isEmpty();
    }

    @Test
    void us12UnderACapAModelWithoutAPriceIsNotCalled() throws IOException {
        capped("1", AtExhaustion.REFUSE, true, "{}");
        ScenarioConfig only = scenario(true, "{}", List.of(new RungConfig.Pool("first", "m1", null, null)));
        gateway.change(now -> {
            TenantTree tenant = now.tenants().get(TestConfig.T1);
            return now.with(tenant.with(tenant.catalog().withPrices("m1", PriceBook.EMPTY))
                    .with(only));
        });

        Answer answer = ask();

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("model_not_priced");
        assertThat(upstream.requests()).isEmpty();
    }

    private Answer ask() {
        return gateway.client().chat(Client.request());
    }

    private void capped(String limit, AtExhaustion wanted, boolean core, String budget) throws IOException {
        List<RungConfig> ladder =
                List.of(new RungConfig.Pool("first", "m1", null, null), new RungConfig.Text("sorry", SORRY));
        ScenarioConfig scenario = scenario(core, budget, ladder);
        SpendCapConfig cap = new SpendCapConfig(
                CAP, 1, CapScope.TENANT, null, CapPeriod.DAY, Money.of(limit), 0.7, 0.9, wanted, null);
        gateway.change(now -> capped(now, scenario, cap));
    }

    private static Configuration capped(Configuration now, ScenarioConfig scenario, SpendCapConfig cap) {
        return now.with(now.tenants().get(TestConfig.T1).with(scenario).with(cap));
    }

    private static ScenarioConfig scenario(boolean core, String budget, List<RungConfig> ladder) throws IOException {
        ScenarioConfig plain = TestConfig.scenario(ladder);
        Map<String, JsonNode> settings = new HashMap<>(plain.settings());
        JsonNode setting = StrictJson.MAPPER.readTree(budget);
        if (!setting.isEmpty()) {
            settings.put("budget", setting);
        }
        return new ScenarioConfig(
                "chat",
                2,
                Sensitivity.CREATIVE,
                RequestKind.READ,
                core,
                plain.deadline(),
                plain.firstTokenTimeout(),
                ladder,
                settings);
    }

    private long told;

    /** Today and tomorrow, should midnight come in between; asks until the node has heard. */
    private void band(BudgetBand band) {
        LocalDate today = LocalDate.ofInstant(Instant.now(), ZoneOffset.UTC);
        told++;
        gateway.bus()
                .publish(Address.BANDS, new BandsPublished("n", List.of(on(today, band), on(today.plusDays(1), band))));
        TestGateway.eventually("the band is heard", () -> band.name().equals(ask().header("x-sluice-budget-band")));
        upstream.requests().clear(); // those that asked before it was
    }

    private CapBand on(LocalDate day, BudgetBand band) {
        Instant now = Instant.now();
        return new CapBand(
                new AccountKey(TestConfig.T1, CAP, Period.of(CapPeriod.DAY, day)),
                new Stamp(told, "n"),
                new BandState(band, now, now, new BandLimits(10, 7, 9), List.of(), Map.of()),
                now.plusSeconds(172_800));
    }
}
