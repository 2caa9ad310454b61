package io.sluice.control.budget;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendReport;
import io.sluice.control.spend.SpendStore.Span;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExemptSpendTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final Instant OPENS = Instant.parse("2026-11-30T00:00:00Z");
    private static final Instant ENDS = Instant.parse("2026-12-01T00:00:00Z");

    private final List<Span> asked = new ArrayList<>();
    private final ExemptSpend exempt = new ExemptSpend((tenant, span, groupBy, max) -> {
        asked.add(span);
        return Future.succeededFuture(
                List.of(row("web", "alarm", 5), row("web", "chat", 70), row("batch", "alarm", 3), row("web", null, 9)));
    });

    @ParameterizedTest
    @CsvSource({
        "TENANT,,8000000",
        "APP,web,5000000",
        "APP,other,0",
        "SCENARIO,alarm,8000000",
        "SCENARIO,chat,0",
        "END_USER,ada,0"
    })
    void onlyWhatExemptScenariosSpentOfTheCapCounts(CapScope scope, String subject, long micros) throws IOException {
        SpendCapConfig cap = new SpendCapConfig(
                SpendCapConfig.idOf(scope, subject, CapPeriod.DAY),
                1,
                scope,
                subject,
                CapPeriod.DAY,
                Money.of("100"),
                0.7,
                0.9,
                AtExhaustion.REFUSE,
                null);
        Configuration configuration = Configuration.EMPTY.with(
                TenantTree.of(new TenantConfig(ACME, 1, "Acme", ZoneId.of("UTC"), "USD", false))
                        .with(cap)
                        .with(scenario("alarm", "{\"exempt\":true}"))
                        .with(scenario("chat", "{\"floor\":\"LIGHT\"}")));
        AccountKey account = new AccountKey(ACME, cap.id(), Period.of(CapPeriod.DAY, LocalDate.of(2026, 11, 30)));

        exempt.refresh(configuration, List.of(figures(account)));

        assertThat(exempt.micros(account)).isEqualTo(micros);
        assertThat(asked)
                .allMatch(span -> span.from() == OPENS.getEpochSecond() && span.until() == ENDS.getEpochSecond());

        exempt.refresh(configuration, List.of());
        assertThat(exempt.micros(account)).isZero();
    }

    private static SpendReport.Row row(String app, String scenario, long dollars) {
        Map<String, String> key = scenario == null ? Map.of("app", app) : Map.of("app", app, "scenario", scenario);
        return new SpendReport.Row(
                key, new SpendFigures(1, 1, 0, 0, 0, 0, 0, 0, new Money(dollars * 1_000_000), Money.ZERO, 0));
    }

    private static ScenarioConfig scenario(String name, String budget) throws IOException {
        Map<String, JsonNode> settings = Map.of("budget", StrictJson.MAPPER.readTree(budget));
        return new ScenarioConfig(
                name,
                1,
                Sensitivity.CREATIVE,
                RequestKind.READ,
                true,
                null,
                null,
                List.of(new RungConfig.Text("text", "hi")),
                settings);
    }

    static CapFigures figures(AccountKey account) {
        return new CapFigures(
                account, 1, Set.of(), true, false, 100_000_000, 0, 0, 0, 0, 0, Set.of(), OPENS, ENDS, OPENS);
    }
}
