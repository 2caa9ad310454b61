package io.sluice.control.config;

import static io.sluice.control.config.Given.NOW;
import static io.sluice.control.config.Given.after;
import static io.sluice.control.config.Given.context;
import static io.sluice.control.config.Given.mistakes;
import static io.sluice.control.config.Given.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.ConfigCommand.ApplyDocument;
import io.sluice.control.api.ConfigCommand.RemoveSpendCap;
import io.sluice.control.api.ConfigCommand.SetSpendCap;
import io.sluice.control.api.Principal;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.money.Money;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CapChecksTest {
    private static final TenantId ACME = new TenantId("acme");

    private static SetSpendCap day() {
        return new SetSpendCap("acme", "TENANT", null, "DAY", "250.00", 0.7, 0.9, "REFUSE", null);
    }

    private static SpendCapConfig cap(Configuration configuration, String id) {
        return configuration.tenants().get(ACME).spendCaps().get(id);
    }

    @Test
    void aCapIsNamedByItsScopeAndPeriod() {
        Configuration set = after(Given.acme(), day());

        assertThat(cap(set, "day-tenant"))
                .isEqualTo(new SpendCapConfig(
                        "day-tenant",
                        1,
                        CapScope.TENANT,
                        null,
                        CapPeriod.DAY,
                        new Money(250_000_000),
                        0.7,
                        0.9,
                        AtExhaustion.REFUSE,
                        null));
    }

    @Test
    void capsOfAllScopesAndPeriodsStandSideBySide() {
        Configuration set = after(Given.acme(), day());
        set = after(set, with(day(), "period", "MONTH"));
        set = after(set, with(with(day(), "scope", "APP"), "subject", "web"));
        set = after(set, with(with(day(), "scope", "SCENARIO"), "subject", "chat"));
        set = after(set, with(with(day(), "scope", "END_USER"), "subject", "ann@example.com"));

        assertThat(set.tenants().get(ACME).spendCaps().keySet())
                .containsExactlyInAnyOrder(
                        "day-tenant",
                        "month-tenant",
                        "day-app:web",
                        "day-scenario:chat",
                        "day-end-user:ann@example.com");
    }

    @Test
    void whoChangesACapNamesTheVersionThatWasRead() {
        Configuration set = after(Given.acme(), day());

        assertThat(mistakes(set, day())).containsExactly("version CONFLICT_VERSION");
        assertThat(mistakes(set, with(day(), "version", 2))).containsExactly("version CONFLICT_VERSION");
        Configuration lowered = after(set, with(with(day(), "version", 1), "limit", "10"));
        assertThat(cap(lowered, "day-tenant").version()).isEqualTo(2);
        assertThat(cap(lowered, "day-tenant").limit()).isEqualTo(new Money(10_000_000));
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of(with(day(), "limit", null), "limit REQUIRED"),
                Arguments.of(with(day(), "period", "WEEK"), "period INVALID"),
                Arguments.of(with(day(), "scope", "KEY"), "scope INVALID"),
                Arguments.of(with(day(), "scope", "APP"), "subject REQUIRED"),
                Arguments.of(with(day(), "subject", "web"), "subject INVALID"),
                Arguments.of(with(with(day(), "scope", "APP"), "subject", "nope"), "subject NOT_FOUND"),
                Arguments.of(with(with(day(), "scope", "SCENARIO"), "subject", "nope"), "subject NOT_FOUND"),
                Arguments.of(with(with(day(), "scope", "END_USER"), "subject", " "), "subject INVALID"),
                Arguments.of(with(day(), "conserveAt", 0.0), "conserveAt INVALID"),
                Arguments.of(with(day(), "conserveAt", Double.NaN), "conserveAt INVALID"),
                Arguments.of(with(day(), "restrictAt", 1.01), "restrictAt INVALID"),
                Arguments.of(with(day(), "restrictAt", 0.5), "restrictAt INVALID"),
                Arguments.of(with(day(), "atExhaustion", "QUEUE"), "atExhaustion INVALID"),
                Arguments.of(with(day(), "tenantId", "nobody"), "tenantId NOT_FOUND"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void aMistakeIsToldWithItsPath(SetSpendCap command, String expected) {
        assertThat(mistakes(Given.acme(), command)).containsExactly(expected);
    }

    /** Case BU07: a negative budget was accepted and blocked every call. */
    @ParameterizedTest
    @ValueSource(strings = {"-7", "NaN", "1e400", "", "true", "0,5", "1e2", "0.0000001", "9000000001", "Infinity"})
    void bu07AnAmountThatIsNoneIsRefused(String limit) {
        assertThat(mistakes(Given.acme(), with(day(), "limit", limit))).containsExactly("limit INVALID");
    }

    @Test
    void aCapOfZeroIsACap() {
        assertThat(cap(after(Given.acme(), with(day(), "limit", "0")), "day-tenant")
                        .limit())
                .isEqualTo(Money.ZERO);
    }

    @Test
    void aRemovedCapIsKeptAndMayBeSetAgain() {
        Configuration set = after(Given.acme(), day());
        Configuration removed = ConfigDecider.decide(
                        set, new RemoveSpendCap("acme", "day-tenant", 1), context(Role.FINANCE))
                .fold(accepted -> accepted.configuration(), refused -> null);

        assertThat(cap(removed, "day-tenant").removedAt()).isEqualTo(NOW);
        Configuration again = after(removed, day());
        assertThat(cap(again, "day-tenant").removed()).isFalse();
        assertThat(cap(again, "day-tenant").version()).isEqualTo(3);
    }

    @Test
    void whatIsNotThereOrReadInAnotherVersionIsNotRemoved() {
        Configuration set = after(Given.acme(), day());

        assertThat(mistakes(Role.FINANCE, set, new RemoveSpendCap("acme", "day-app:web", null)))
                .containsExactly("id NOT_FOUND");
        assertThat(mistakes(Role.FINANCE, set, new RemoveSpendCap("acme", "day-tenant", 3)))
                .containsExactly("version CONFLICT_VERSION");
    }

    @Test
    void thePlatformMayStopATenantButNotLetItSpendMore() {
        Configuration set = after(Given.acme(), day());
        SetSpendCap change = with(day(), "version", 1);

        assertThat(mistakes(Role.PLATFORM_ADMIN, set, with(change, "limit", "0")))
                .isEmpty();
        assertThat(mistakes(Role.PLATFORM_ADMIN, set, with(change, "limit", "251")))
                .containsExactly("limit FORBIDDEN");
        assertThat(mistakes(Role.PLATFORM_ADMIN, set, with(with(change, "conserveAt", 0.71), "restrictAt", 0.91)))
                .containsExactly("conserveAt FORBIDDEN", "restrictAt FORBIDDEN");
        assertThat(mistakes(Role.PLATFORM_ADMIN, set, with(with(change, "conserveAt", 0.1), "restrictAt", 0.2)))
                .isEmpty();
        assertThat(mistakes(Role.PLATFORM_ADMIN, set, new RemoveSpendCap("acme", "day-tenant", 1)))
                .containsExactly("id FORBIDDEN");
        assertThat(mistakes(Role.FINANCE, set, with(change, "limit", "251"))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void onlyFinanceAndThePlatformWriteCaps(Role role) {
        Principal principal = new Principal(role, role == Role.PLATFORM_ADMIN ? null : ACME, "someone");
        List<UserError> denied = AccessDecider.decide(principal, day());

        assertThat(denied.isEmpty()).isEqualTo(role == Role.FINANCE || role == Role.PLATFORM_ADMIN);
    }

    @Test
    void aDocumentSetsCapsOfWhatItDeclares() {
        ApplyDocument document = new ApplyDocument(
                "acme",
                Given.json("{'apps':[{'id':'shop'}],'spendCaps':[{'scope':'APP','subject':'shop','period':'MONTH',"
                        + "'limit':'12.5'},{'scope':'APP','subject':'nope','period':'DAY','limit':1}]}"),
                false,
                null);

        assertThat(mistakes(Given.acme(), document))
                .containsExactlyInAnyOrder(
                        "document.spendCaps.1.limit INVALID", "document.spendCaps.1.subject NOT_FOUND");
    }
}
