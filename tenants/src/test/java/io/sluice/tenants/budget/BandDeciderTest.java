package io.sluice.tenants.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.Seeds;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BandDeciderTest {
    private static final Instant OPENS = Instant.parse("2026-11-30T00:00:00Z");
    private static final Instant ENDS = Instant.parse("2026-12-01T00:00:00Z");
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
    private static final BandLimits HUNDRED = new BandLimits(100_000_000, 70_000_000, 90_000_000);

    @ParameterizedTest
    @CsvSource({
        "0,0,NORMAL",
        "69999999,0,NORMAL",
        "70000000,0,CONSERVE",
        "0,70000000,CONSERVE",
        "89999999,0,CONSERVE",
        "90000000,0,RESTRICT",
        "50000000,60000000,RESTRICT",
        "99999999,1,RESTRICT",
        "100000000,0,EXHAUSTED",
        "100000001,0,EXHAUSTED"
    })
    void theBandFollowsFromWhatIsUsed(long settled, long held, BudgetBand band) {
        BandDecision decision = BandDecider.decide(input(settled, held, NOON, null));

        assertThat(decision.state().band()).isEqualTo(band);
        assertThat(decision.changed()).isEqualTo(band != BudgetBand.NORMAL);
    }

    @Test
    void theForecastAddsThePresentBurnUntilTheEnd() {
        BandInput input = new BandInput(HUNDRED, 71_000_000, 1_000_000, 6_000_000, 0, OPENS, ENDS, NOON, null);

        BandDecision decision = BandDecider.decide(input);

        assertThat(decision.forecastMicros()).isEqualTo(143_000_000);
        assertThat(decision.explanation())
                .isEqualTo("CONSERVE: 72 of 100 is used, 1 of it reserved; requests that are not core use light models"
                        + " from 70 on; at the present 6 an hour it will be 143 at 2026-12-01T00:00:00Z");
    }

    @Test
    void fromTheRestrictShareOnMoneyIsKeptForExemptScenarios() {
        // 0.7 an hour for 12 hours and half as much again are 12.6
        BandInput below = new BandInput(HUNDRED, 89_000_000, 0, 0, 700_000, OPENS, ENDS, NOON, null);
        BandInput kept = new BandInput(HUNDRED, 90_000_000, 0, 0, 700_000, OPENS, ENDS, NOON, null);

        assertThat(BandDecider.decide(below).state().band()).isEqualTo(BudgetBand.CONSERVE);
        assertThat(BandDecider.decide(kept).state().band()).isEqualTo(BudgetBand.EXHAUSTED);
        assertThat(BandDecider.decide(kept).explanation()).contains("kept for exempt scenarios, which need 12.6");
    }

    @Test
    void reservationsThatComeBackDoNotFlutter() {
        BandState state = after(input(60_000_000, 10_000_000, NOON, null));
        for (int minute = 1; minute < 30; minute++) {
            state = after(input(60_000_000, minute % 2 * 10_000_000L, NOON.plusSeconds(minute * 60L), state));
            assertThat(state.band()).isEqualTo(BudgetBand.CONSERVE);
        }
    }

    @Test
    void aLaxerBandNeedsAQuietHalfHourAndAMargin() {
        BandState state = after(input(60_000_000, 10_000_000, NOON, null));

        assertThat(after(input(64_000_000, 0, NOON.plusSeconds(1_799), state)).band())
                .isEqualTo(BudgetBand.CONSERVE);
        assertThat(after(input(65_000_000, 0, NOON.plusSeconds(1_800), state)).band())
                .isEqualTo(BudgetBand.CONSERVE);
        assertThat(after(input(64_999_999, 0, NOON.plusSeconds(1_800), state)).band())
                .isEqualTo(BudgetBand.NORMAL);
    }

    @Test
    void aRaisedCapTakesEffectAtOnce() {
        BandState used = after(input(100_000_000, 0, NOON, null));
        BandInput raised = new BandInput(
                new BandLimits(200_000_000, 140_000_000, 180_000_000),
                100_000_000,
                0,
                0,
                0,
                OPENS,
                ENDS,
                NOON.plusSeconds(1),
                used);

        assertThat(used.band()).isEqualTo(BudgetBand.EXHAUSTED);
        assertThat(after(raised).band()).isEqualTo(BudgetBand.NORMAL);
    }

    @Test
    void aPeriodBeginsWithoutTheBandOfTheLast() {
        BandState used = after(input(100_000_000, 0, ENDS.minusSeconds(1), null));
        BandInput next = new BandInput(HUNDRED, 0, 0, 9_000_000, 0, ENDS, ENDS.plusSeconds(86_400), ENDS, used);

        BandDecision decision = BandDecider.decide(next);

        assertThat(decision.state().band()).isEqualTo(BudgetBand.NORMAL);
        assertThat(decision.changed()).isTrue();
    }

    @Test
    void noHourHasMoreThanFourChangesHoweverTheFiguresJump() {
        Seeds.check(300, random -> {
            List<Instant> changes = new ArrayList<>();
            BandState state = null;
            Instant opens = OPENS;
            Instant at = OPENS;
            while (at.isBefore(OPENS.plusSeconds(3 * 86_400))) {
                at = at.plusSeconds(1 + random.nextInt(random.nextInt(10) == 0 ? 4_000 : 300));
                while (!at.isBefore(opens.plusSeconds(86_400))) {
                    opens = opens.plusSeconds(86_400);
                }
                BandDecision decision = BandDecider.decide(new BandInput(
                        HUNDRED,
                        random.nextLong(110_000_000),
                        random.nextLong(30_000_000),
                        random.nextLong(10_000_000),
                        random.nextInt(3) == 0 ? random.nextLong(2_000_000) : 0,
                        opens,
                        opens.plusSeconds(86_400),
                        at,
                        state));
                state = decision.state();
                if (decision.changed()) {
                    changes.add(at);
                    Instant hourAgo = at.minusSeconds(3_600);
                    assertThat(changes.stream().filter(hourAgo::isBefore)).hasSizeLessThanOrEqualTo(4);
                }
                assertThat(decision.explanation()).startsWith(state.band() + ": ");
            }
        });
    }

    @Test
    void absurdFiguresStayFigures() {
        BandInput input = new BandInput(
                HUNDRED, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, OPENS, ENDS, OPENS, null);
        BandDecision decision = BandDecider.decide(input);
        assertThat(decision.state().band()).isEqualTo(BudgetBand.EXHAUSTED);
        assertThat(decision.forecastMicros()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theLimitsOfACapAreExactShares() {
        SpendCapConfig cap = new SpendCapConfig(
                "day-tenant",
                1,
                CapScope.TENANT,
                null,
                CapPeriod.DAY,
                new Money(999_999),
                0.7,
                0.9,
                AtExhaustion.REFUSE,
                null);
        assertThat(BandLimits.of(cap)).isEqualTo(new BandLimits(999_999, 700_000, 900_000));
        assertThatThrownBy(() -> new BandLimits(10, 9, 8)).isInstanceOf(IllegalArgumentException.class);
    }

    private static BandInput input(long settled, long held, Instant at, BandState before) {
        return new BandInput(HUNDRED, settled, held, 0, 0, OPENS, ENDS, at, before);
    }

    private static BandState after(BandInput input) {
        return BandDecider.decide(input).state();
    }
}
