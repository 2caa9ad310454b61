package io.sluice.control.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.CapStanding;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.WebhookConfig;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

class CapAlertsTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

    private final CapAlerts nothingTold = CapAlerts.of(List.of());

    private static SpendCapConfig cap(String limit) {
        return new SpendCapConfig(
                "day-tenant",
                1,
                CapScope.TENANT,
                null,
                CapPeriod.DAY,
                Money.of(limit),
                0.7,
                0.9,
                AtExhaustion.REFUSE,
                null);
    }

    private static WebhookConfig webhook(String id, boolean enabled, Double... thresholds) {
        return new WebhookConfig(
                id, 1, "https://a.example", new CredentialRef.Sealed("x"), List.of(thresholds), enabled, null);
    }

    private static Configuration acme(SpendCapConfig cap, WebhookConfig... webhooks) {
        TenantTree tree = TenantTree.of(new TenantConfig(ACME, 1, "Acme", ZoneId.of("UTC"), "USD", false))
                .with(cap);
        for (WebhookConfig webhook : webhooks) {
            tree = tree.with(webhook);
        }
        return Configuration.EMPTY.with(tree);
    }

    private static List<CapStanding> spent(String amount, BudgetBand band) {
        return spent(LocalDate.of(2026, 11, 30), amount, band);
    }

    private static List<CapStanding> spent(LocalDate day, String amount, BudgetBand band) {
        return List.of(new CapStanding(
                new AccountKey(ACME, "day-tenant", Period.of(CapPeriod.DAY, day)),
                Money.of(amount),
                Money.of("40"),
                band,
                0,
                day.plusDays(1).atStartOfDay(ZoneId.of("UTC")).toInstant(),
                null,
                null,
                NOON));
    }

    private static List<String> words(CapAlerts.Next next) {
        return next.due().stream()
                .map(alert -> alert.webhook() + " "
                        + (alert.threshold() == null ? alert.standing().band() : alert.threshold()))
                .toList();
    }

    private final Configuration configuration = acme(cap("100"), webhook("ops", true, 0.5, 0.7, 0.9, 1.0));

    @Test
    void aThresholdIsDueWhenItIsReachedToTheMicroUnitAndOnlyOnce() {
        CapAlerts.Next before = nothingTold.next(configuration, spent("49.999999", BudgetBand.NORMAL), NOON);
        CapAlerts.Next reached = before.after().next(configuration, spent("50", BudgetBand.NORMAL), NOON);
        CapAlerts.Next again = reached.after().next(configuration, spent("69", BudgetBand.NORMAL), NOON);

        assertThat(words(before)).isEmpty();
        assertThat(words(reached)).containsExactly("ops 0.5");
        assertThat(words(again)).isEmpty();
    }

    @Test
    void allThresholdsThatAJumpPassesAreDueInTheirOrderAndTheBandLast() {
        assertThat(words(nothingTold.next(configuration, spent("95", BudgetBand.RESTRICT), NOON)))
                .containsExactly("ops 0.5", "ops 0.7", "ops 0.9", "ops RESTRICT");
    }

    @Test
    void eachChangeOfTheBandIsDueAlsoTheWayBack() {
        CapAlerts.Next up = nothingTold.next(configuration, spent("40", BudgetBand.CONSERVE), NOON);
        CapAlerts.Next same = up.after().next(configuration, spent("41", BudgetBand.CONSERVE), NOON);
        CapAlerts.Next down = same.after().next(configuration, spent("41", BudgetBand.NORMAL), NOON);
        CapAlerts.Next upAgain = down.after().next(configuration, spent("42", BudgetBand.CONSERVE), NOON);

        assertThat(words(up)).containsExactly("ops CONSERVE");
        assertThat(words(same)).isEmpty();
        assertThat(words(down)).containsExactly("ops NORMAL");
        assertThat(words(upAgain)).containsExactly("ops CONSERVE");
    }

    @Test
    void whatWasStoredIsNotDueAgainAfterARestart() {
        CapAlerts.Next told = nothingTold.next(configuration, spent("75", BudgetBand.CONSERVE), NOON);
        List<CapFact> stored = told.due().stream().map(CapAlert::fact).toList();

        assertThat(words(CapAlerts.of(stored).next(configuration, spent("75", BudgetBand.CONSERVE), NOON)))
                .isEmpty();
        assertThat(words(CapAlerts.of(stored).next(configuration, spent("91", BudgetBand.CONSERVE), NOON)))
                .containsExactly("ops 0.9");
    }

    @Test
    void whatCouldNotBeStoredIsDueAgain() {
        nothingTold.next(configuration, spent("50", BudgetBand.NORMAL), NOON);
        assertThat(words(nothingTold.next(configuration, spent("50", BudgetBand.NORMAL), NOON)))
                .containsExactly("ops 0.5");
    }

    @Test
    void theNextPeriodBeginsAnew() {
        CapAlerts.Next today = nothingTold.next(configuration, spent("50", BudgetBand.NORMAL), NOON);
        CapAlerts.Next tomorrow = today.after()
                .next(
                        configuration,
                        spent(LocalDate.of(2026, 12, 1), "60", BudgetBand.NORMAL),
                        NOON.plusSeconds(86_400));
        assertThat(words(tomorrow)).containsExactly("ops 0.5");
    }

    @Test
    void aCapWithAnotherLimitHasOtherThresholds() {
        CapAlerts.Next reached = nothingTold.next(configuration, spent("100", BudgetBand.NORMAL), NOON);
        Configuration raised = acme(cap("200"), webhook("ops", true, 0.5, 0.7, 0.9, 1.0));
        CapAlerts.Next after = reached.after().next(raised, spent("100", BudgetBand.NORMAL), NOON);

        assertThat(words(after)).containsExactly("ops 0.5");
        assertThat(words(after.after().next(configuration, spent("100", BudgetBand.NORMAL), NOON)))
                .isEmpty();
    }

    @Test
    void eachWebhookHasThresholdsOfItsOwnAndANewOneIsToldWhatHolds() {
        Configuration both = acme(cap("100"), webhook("ops", true, 0.5), webhook("cfo", true, 0.8));
        CapAlerts told = nothingTold
                .next(acme(cap("100"), webhook("ops", true, 0.5)), spent("85", BudgetBand.NORMAL), NOON)
                .after();
        assertThat(words(told.next(both, spent("85", BudgetBand.NORMAL), NOON))).containsExactly("cfo 0.8");
    }

    @Test
    void webhooksThatAreOffOrRemovedAreToldNothing() {
        Configuration off = acme(
                cap("100"),
                webhook("ops", false, 0.5),
                webhook("old", true, 0.5).removed(NOON));
        assertThat(words(nothingTold.next(off, spent("99", BudgetBand.RESTRICT), NOON)))
                .isEmpty();
    }

    @Test
    void capsThatWereRemovedAndPeriodsThatAreOverTellNothing() {
        Configuration removed = acme(cap("100").removed(NOON), webhook("ops", true, 0.5));
        assertThat(words(nothingTold.next(removed, spent("99", BudgetBand.NORMAL), NOON)))
                .isEmpty();
        assertThat(words(nothingTold.next(configuration, spent("99", BudgetBand.NORMAL), NOON.plusSeconds(43_200))))
                .isEmpty();
    }

    @Test
    void aCapOfNothingIsToldByItsBandAlone() {
        Configuration stopped = acme(cap("0"), webhook("ops", true, 0.5, 1.0));
        assertThat(words(nothingTold.next(stopped, spent("0", BudgetBand.EXHAUSTED), NOON)))
                .containsExactly("ops EXHAUSTED");
    }
}
