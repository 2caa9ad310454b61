package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.TestConfig;
import io.sluice.data.money.RequestCaps;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.routing.CompiledTenant;
import io.sluice.tenants.routing.SnapshotCompiler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CapBookTest {
    private static final Instant NOON = Instant.parse("2026-03-31T12:00:00Z");

    private final CompiledTenant tenant = tenant();
    private final CapBook.OfPair pair = new CapBook.OfPair(tenant, "app", "chat");

    @Test
    void eachInstantCountsInThePeriodsThatRunThenInWhateverOrderRequestsCome() {
        Instant midnight = tenant.caps()
                .calendar()
                .endOf(Period.of(CapPeriod.DAY, tenant.caps().calendar().dateAt(NOON)));
        for (Instant at : List.of(
                NOON,
                midnight.minusMillis(1),
                midnight,
                midnight.minusMillis(1),
                NOON.minus(Duration.ofDays(40)),
                midnight.plus(Duration.ofDays(1)),
                NOON)) {
            for (String endUser : new String[] {null, "ada", "nobody"}) {
                RequestCaps caps = pair.of(endUser, at);
                assertThat(caps.caps()).isEqualTo(tenant.caps().of("app", "chat", endUser));
                assertThat(caps.accounts()).isEqualTo(tenant.accounts(caps.caps(), at));
            }
        }
    }

    @Test
    void anEndUserWithACapHasItBesideThoseOfAll() {
        assertThat(pair.of("ada", NOON).caps()).hasSize(3);
        assertThat(pair.of("nobody", NOON).caps()).hasSize(2);
    }

    private static CompiledTenant tenant() {
        Configuration plain = TestConfig.pool();
        return new SnapshotCompiler()
                .compile(plain.with(plain.tenants()
                                .get(TestConfig.T1)
                                .with(cap(CapScope.TENANT, null, CapPeriod.DAY))
                                .with(cap(CapScope.TENANT, null, CapPeriod.MONTH))
                                .with(cap(CapScope.END_USER, "ada", CapPeriod.DAY)))
                        .atEpoch(2))
                .tenants()
                .get(TestConfig.T1);
    }

    private static SpendCapConfig cap(CapScope scope, String subject, CapPeriod period) {
        return new SpendCapConfig(
                SpendCapConfig.idOf(scope, subject, period),
                1,
                scope,
                subject,
                period,
                Money.of("100"),
                0.7,
                0.9,
                AtExhaustion.REFUSE,
                null);
    }
}
