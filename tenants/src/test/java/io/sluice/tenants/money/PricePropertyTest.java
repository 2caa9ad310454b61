package io.sluice.tenants.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.Seeds;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Test L6 of the ledger: costs against decimals of any length, over random prices, tiers, hours and counts. */
class PricePropertyTest {
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Price.CALL_MICROS_MAX);

    @Test
    void costIsTheExactSumRoundedUpOnce() {
        Seeds.check(20_000, random -> {
            Price price = price(random);
            TokenUsage usage = usage(random);
            Served served = served(random);
            Instant at = instant(random);

            Money cost = price.costOf(usage, served, at);

            assertThat(BigDecimal.valueOf(cost.micros())).isEqualByComparingTo(exact(price, usage, served, at));
        });
    }

    @Test
    void moreTokensNeverCostLessWithinATier() {
        Seeds.check(5_000, random -> {
            Price price = new Price(Instant.EPOCH, money(random), money(random), null, null);
            TokenUsage less = usage(random);
            TokenUsage more = less.plus(new TokenUsage(1, 0, 0, 1, 0, false));
            assertThat(price.costOf(more, Instant.EPOCH)).isGreaterThanOrEqualTo(price.costOf(less, Instant.EPOCH));
        });
    }

    /** The same rule, written with decimals and the calendar. */
    private static BigDecimal exact(Price price, TokenUsage usage, Served served, Instant at) {
        Money input = price.inputPerMTok();
        Money output = price.outputPerMTok();
        Money cached = price.cachedInputPerMTok();
        Money write = price.cacheWritePerMTok();
        Money reasoning = price.reasoningPerMTok();
        long prompt = usage.input() + usage.cachedInput() + usage.cacheWrite();
        long threshold = -1;
        for (PriceTier tier : price.tiers()) {
            if (prompt > tier.abovePromptTokens() && tier.abovePromptTokens() > threshold) {
                threshold = tier.abovePromptTokens();
                input = tier.inputPerMTok();
                output = tier.outputPerMTok();
                cached = tier.cachedInputPerMTok();
                write = tier.cacheWritePerMTok();
                reasoning = tier.reasoningPerMTok();
            }
        }
        BigDecimal perMTok = part(usage.input(), input)
                .add(part(usage.cachedInput(), cached == null ? input : cached))
                .add(part(usage.cacheWrite(), write == null ? input : write))
                .add(part(usage.output(), output))
                .add(part(usage.reasoning(), reasoning == null ? output : reasoning));
        return perMTok.movePointLeft(6)
                .add(part(usage.images(), price.perImage() == null ? Money.ZERO : price.perImage()))
                .add(part(
                        usage.serverToolCalls(),
                        price.perServerToolCall() == null ? Money.ZERO : price.perServerToolCall()))
                .multiply(BigDecimal.valueOf(percent(price.hours(), at)).movePointLeft(2))
                .multiply(BigDecimal.valueOf(percent(price.serviceTiers(), served.serviceTier()))
                        .movePointLeft(2))
                .multiply(BigDecimal.valueOf(percent(price.regions(), served.region()))
                        .movePointLeft(2))
                .setScale(0, RoundingMode.CEILING)
                .min(LARGEST);
    }

    private static int percent(List<PriceHours> hours, Instant at) {
        ZonedDateTime utc = at.atZone(ZoneOffset.UTC);
        int minute = utc.getHour() * 60 + utc.getMinute();
        return hours.stream()
                .filter(each -> each.days().contains(utc.getDayOfWeek()))
                .filter(each -> minute >= each.fromMinute() && minute < each.untilMinute())
                .findFirst()
                .map(PriceHours::percent)
                .orElse(100);
    }

    private static int percent(List<PriceFactor> factors, String name) {
        return factors.stream()
                .filter(each -> each.name().equalsIgnoreCase(name == null ? "" : name))
                .map(PriceFactor::percent)
                .findFirst()
                .orElse(100);
    }

    private static BigDecimal part(long count, Money each) {
        return BigDecimal.valueOf(count).multiply(BigDecimal.valueOf(each.micros()));
    }

    static Price price(SplittableRandom random) {
        Map<Long, PriceTier> tiers = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            long above = tokens(random);
            tiers.put(
                    above,
                    new PriceTier(above, money(random), money(random), maybe(random), maybe(random), maybe(random)));
        }
        List<PriceHours> hours = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            int from = random.nextInt(PriceHours.MINUTES_OF_DAY);
            hours.add(new PriceHours(
                    List.of(DayOfWeek.of(1 + random.nextInt(7)), DayOfWeek.of(1 + random.nextInt(7))),
                    from,
                    from + 1 + random.nextInt(PriceHours.MINUTES_OF_DAY - from),
                    1 + random.nextInt(PriceHours.PERCENT_MAX)));
        }
        return new Price(
                Instant.EPOCH,
                money(random),
                money(random),
                maybe(random),
                maybe(random),
                maybe(random),
                maybe(random),
                maybe(random),
                List.copyOf(tiers.values()),
                hours,
                factors(random, List.of("flex", "batch", "priority")),
                factors(random, List.of("eu-west", "us-east")),
                null);
    }

    private static List<PriceFactor> factors(SplittableRandom random, List<String> names) {
        return names.stream()
                .filter(name -> random.nextInt(3) == 0)
                .map(name -> new PriceFactor(name, 1 + random.nextInt(PriceHours.PERCENT_MAX)))
                .toList();
    }

    static Served served(SplittableRandom random) {
        List<String> tiers = Arrays.asList(null, "auto", "default", "flex", "Batch", "PRIORITY", "scale");
        List<String> regions = Arrays.asList(null, "eu-west", "US-EAST", "elsewhere");
        return new Served(tiers.get(random.nextInt(tiers.size())), regions.get(random.nextInt(regions.size())));
    }

    static TokenUsage usage(SplittableRandom random) {
        return new TokenUsage(tokens(random), tokens(random), tokens(random), tokens(random), tokens(random), false)
                .withImages(random.nextInt(3) * (long) random.nextInt(50))
                .withServerToolCalls(random.nextInt(3) * (long) random.nextInt(50));
    }

    /** From before 1970 to after 2200. */
    static Instant instant(SplittableRandom random) {
        return Instant.ofEpochSecond(random.nextLong(-1_000_000_000L, 8_000_000_000L), random.nextInt(1_000_000_000));
    }

    private static Money maybe(SplittableRandom random) {
        return random.nextBoolean() ? money(random) : null;
    }

    /** All magnitudes alike. */
    private static Money money(SplittableRandom random) {
        return new Money(random.nextLong(Long.MAX_VALUE) >> random.nextInt(63));
    }

    private static long tokens(SplittableRandom random) {
        return random.nextLong(TokenUsage.TOKENS_MAX + 1) >> random.nextInt(41);
    }
}
