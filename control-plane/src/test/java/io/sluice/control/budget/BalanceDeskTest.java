package io.sluice.control.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.BalanceStanding;
import io.sluice.control.api.ConfigCommand.CreateTenant;
import io.sluice.control.api.ConfigCommand.SetProviderBalance;
import io.sluice.control.config.Given;
import io.sluice.control.spend.SpendStore.Span;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BalanceDeskTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId GLOBEX = new TenantId("globex");
    private static final TenantId EURO = new TenantId("euro");
    private static final Instant NOW = Given.NOW.plusSeconds(7 * 3_600);

    private final List<String> asked = new ArrayList<>();

    private List<BalanceStanding> standings(Configuration configuration, TenantId owner) {
        Map<TenantId, Long> all = Map.of(ACME, 1_000_000L, GLOBEX, 2_000_000L, EURO, 4_000_000L);
        BalanceDesk desk = new BalanceDesk(
                (tenant, provider, span) -> {
                    asked.add(tenant + " " + provider + " " + length(span));
                    return Future.succeededFuture(tenant == null ? all : Map.of(tenant, all.get(tenant)));
                },
                () -> configuration,
                () -> NOW);
        return desk.of(owner).result();
    }

    private static String length(Span span) {
        return Instant.ofEpochSecond(span.from()) + " " + Instant.ofEpochSecond(span.until());
    }

    @Test
    void aTenantsAccountCountsTheTenantsRowsSinceTheQuarterOfTheDeclaration() {
        Configuration configuration =
                Given.after(Given.acme(), new SetProviderBalance("acme", "sim", "10", "2026-11-20T10:07:00Z"));

        assertThat(standings(configuration, ACME))
                .extracting(BalanceStanding::left)
                .containsExactly(Money.of("9"));
        assertThat(asked)
                .containsExactly(
                        "acme sim 2026-11-20T10:00:00Z 2026-11-29T19:15:00Z",
                        "acme sim 2026-11-28T19:00:00Z 2026-11-29T19:15:00Z");
    }

    @Test
    void thePlatformsAccountCountsTenantsInDollarsThatHaveNoProviderOfThatId() {
        Configuration configuration = Given.after(Given.acme(), Given.tenant("globex"));
        configuration = Given.after(configuration, new CreateTenant("euro", "Euro", "Europe/Berlin", "EUR"));
        configuration = Given.after(configuration, Given.provider(null, "sim"));
        configuration = Given.after(configuration, new SetProviderBalance(null, "sim", "10", "2026-11-29T11:00:00Z"));

        assertThat(standings(configuration, null)).singleElement().satisfies(standing -> {
            assertThat(standing.spent()).isEqualTo(Money.of("2"));
            assertThat(standing.currency()).isEqualTo("USD");
        });
    }

    @Test
    void whereNothingWasDeclaredNothingIsAsked() {
        assertThat(standings(Given.acme(), ACME)).isEmpty();
        assertThat(standings(Given.acme(), null)).isEmpty();
        assertThat(asked).isEmpty();
    }
}
