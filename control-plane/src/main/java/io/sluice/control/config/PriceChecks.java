package io.sluice.control.config;

import io.sluice.control.api.ConfigCommand.PutPrice;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.PriceBook;
import io.sluice.tenants.money.PriceFactor;
import io.sluice.tenants.money.PriceHours;
import io.sluice.tenants.money.PriceTier;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Prices of models. */
final class PriceChecks {
    /** A price a day for three years. */
    static final int PRICES_MAX = 1_000;

    /** Providers have one threshold, some two. */
    static final int TIERS_MAX = 8;

    /** Two peaks on each day of the week, each its own. */
    static final int HOURS_MAX = 14;

    /** Providers have four service tiers. */
    static final int SERVICE_TIERS_MAX = 8;

    /** The largest clouds have some sixty. */
    static final int REGIONS_MAX = 100;

    private static final Pattern CLOCK = Pattern.compile("([01][0-9]|2[0-3]):([0-5][0-9])|24:00");

    private PriceChecks() {}

    static void put(Draft draft, PutPrice command, Instant now, Problems problems) {
        int mistakes = problems.count();
        if (problems.present(command.model(), "model")
                && !draft.sees(ObjectKind.MODEL, command.model(), Catalog::models)) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such model; put it first", "model");
        }
        problems.present(command.inputPerMTok(), "inputPerMTok");
        problems.present(command.outputPerMTok(), "outputPerMTok");
        Money input = amount(command.inputPerMTok(), "inputPerMTok", problems);
        Money output = amount(command.outputPerMTok(), "outputPerMTok", problems);
        Money cached = amount(command.cachedInputPerMTok(), "cachedInputPerMTok", problems);
        Money write = amount(command.cacheWritePerMTok(), "cacheWritePerMTok", problems);
        Money reasoning = amount(command.reasoningPerMTok(), "reasoningPerMTok", problems);
        Money perImage = amount(command.perImage(), "perImage", problems);
        Money perServerToolCall = amount(command.perServerToolCall(), "perServerToolCall", problems);
        List<PriceTier> tiers = tiers(command.tiers(), problems);
        List<PriceHours> hours = hours(command.hours(), problems);
        List<PriceFactor> serviceTiers = factors(command.serviceTiers(), "serviceTiers", SERVICE_TIERS_MAX, problems);
        List<PriceFactor> regions = factors(command.regions(), "regions", REGIONS_MAX, problems);
        noTierOfChance(command.serviceTiers(), problems);
        Instant from = problems.instant(command.validFrom(), "validFrom").orElse(now);
        PriceBook book = command.model() == null
                ? PriceBook.EMPTY
                : draft.own().prices().getOrDefault(command.model(), PriceBook.EMPTY);
        if (book.prices().size() >= PRICES_MAX) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "the model has " + PRICES_MAX + " prices, the most", "model");
        }
        if (problems.count() > mistakes) {
            draft.declare(ObjectKind.PRICE, command.model());
            return;
        }
        Price price = new Price(
                from,
                input,
                output,
                cached,
                write,
                reasoning,
                perImage,
                perServerToolCall,
                tiers,
                hours,
                serviceTiers,
                regions,
                null);
        add(draft, command, price, book, now);
    }

    private static void add(Draft draft, PutPrice command, Price price, PriceBook book, Instant now) {
        boolean same = command.validFrom() == null
                ? book.at(now)
                        .map(old -> price.equals(old.from(price.validFrom())))
                        .orElse(false)
                : book.prices().contains(price);
        if (same) {
            draft.put(command.model(), book, Change.UNCHANGED);
            return;
        }
        List<Price> prices = new ArrayList<>(book.prices());
        prices.removeIf(old -> old.validFrom().equals(price.validFrom()));
        prices.add(price);
        draft.put(command.model(), new PriceBook(prices), book.prices().isEmpty() ? Change.CREATED : Change.UPDATED);
    }

    private static List<PriceTier> tiers(List<PutPrice.Tier> typed, Problems problems) {
        List<PriceTier> tiers = new ArrayList<>();
        if (typed.size() > TIERS_MAX) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "has more than " + TIERS_MAX + " tiers", "tiers");
            return tiers;
        }
        Set<Integer> thresholds = new HashSet<>();
        for (int i = 0; i < typed.size(); i++) {
            Problems at = problems.at("tiers", Integer.toString(i));
            tier(typed.get(i), at).ifPresent(tiers::add);
            if (typed.get(i).abovePromptTokens() != null
                    && !thresholds.add(typed.get(i).abovePromptTokens())) {
                at.add(UserErrorCode.DUPLICATE, "is the threshold of a tier before", "abovePromptTokens");
            }
        }
        return tiers;
    }

    private static Optional<PriceTier> tier(PutPrice.Tier typed, Problems problems) {
        int mistakes = problems.count();
        problems.range(typed.abovePromptTokens(), 1, Integer.MAX_VALUE, "abovePromptTokens");
        problems.present(typed.inputPerMTok(), "inputPerMTok");
        problems.present(typed.outputPerMTok(), "outputPerMTok");
        Money input = amount(typed.inputPerMTok(), "inputPerMTok", problems);
        Money output = amount(typed.outputPerMTok(), "outputPerMTok", problems);
        Money cached = amount(typed.cachedInputPerMTok(), "cachedInputPerMTok", problems);
        Money write = amount(typed.cacheWritePerMTok(), "cacheWritePerMTok", problems);
        Money reasoning = amount(typed.reasoningPerMTok(), "reasoningPerMTok", problems);
        return problems.count() > mistakes
                ? Optional.empty()
                : Optional.of(new PriceTier(typed.abovePromptTokens(), input, output, cached, write, reasoning));
    }

    private static List<PriceFactor> factors(List<PutPrice.Factor> typed, String member, int most, Problems problems) {
        List<PriceFactor> factors = new ArrayList<>();
        if (typed.size() > most) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "has more than " + most + " factors", member);
            return factors;
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < typed.size(); i++) {
            PutPrice.Factor each = typed.get(i);
            Problems at = problems.at(member, Integer.toString(i));
            int mistakes = problems.count();
            at.id(each.name(), "name");
            at.range(each.percent(), 1, PriceHours.PERCENT_MAX, "percent");
            if (each.name() != null && !names.add(each.name().toLowerCase(Locale.ROOT))) {
                at.add(UserErrorCode.DUPLICATE, "has a factor before", "name");
            }
            if (problems.count() == mistakes) {
                factors.add(new PriceFactor(each.name(), each.percent()));
            }
        }
        return factors;
    }

    private static void noTierOfChance(List<PutPrice.Factor> typed, Problems problems) {
        for (int i = 0; i < typed.size(); i++) {
            if ("auto".equalsIgnoreCase(typed.get(i).name())) {
                problems.add(
                        UserErrorCode.INVALID,
                        "is no tier: it leaves the choice to the provider; put a factor for each tier that it may choose",
                        "serviceTiers",
                        Integer.toString(i),
                        "name");
            }
        }
    }

    private static List<PriceHours> hours(List<PutPrice.Hours> typed, Problems problems) {
        List<PriceHours> hours = new ArrayList<>();
        if (typed.size() > HOURS_MAX) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "has more than " + HOURS_MAX + " windows", "hours");
            return hours;
        }
        for (int i = 0; i < typed.size(); i++) {
            window(typed.get(i), problems.at("hours", Integer.toString(i))).ifPresent(hours::add);
        }
        return hours;
    }

    private static Optional<PriceHours> window(PutPrice.Hours typed, Problems problems) {
        int mistakes = problems.count();
        List<DayOfWeek> days = new ArrayList<>();
        if (problems.present(typed.days(), "days") && typed.days().isEmpty()) {
            problems.add(UserErrorCode.INVALID, "must name a day", "days");
        }
        for (int i = 0; typed.days() != null && i < typed.days().size(); i++) {
            DayOfWeek day = problems.oneOf(DayOfWeek.class, typed.days().get(i), "days", Integer.toString(i));
            if (day != null) {
                days.add(day);
            }
        }
        int from = minute(typed.from(), "from", problems);
        int until = minute(typed.until(), "until", problems);
        if (from >= 0 && until >= 0 && until <= from) {
            problems.add(UserErrorCode.INVALID, "must be later than from; a window ends on the day it begins", "until");
        }
        problems.range(typed.percent(), 1, PriceHours.PERCENT_MAX, "percent");
        return problems.count() > mistakes
                ? Optional.empty()
                : Optional.of(new PriceHours(days, from, until, typed.percent()));
    }

    /** Of the day; -1 where there is a mistake. */
    private static int minute(String text, String member, Problems problems) {
        if (!problems.present(text, member)) {
            return -1;
        }
        Matcher clock = CLOCK.matcher(text);
        if (!clock.matches()) {
            problems.add(UserErrorCode.INVALID, "must be a time of day in UTC from 00:00 to 24:00", member);
            return -1;
        }
        return clock.group(1) == null
                ? PriceHours.MINUTES_OF_DAY
                : Integer.parseInt(clock.group(1)) * 60 + Integer.parseInt(clock.group(2));
    }

    private static Money amount(String text, String member, Problems problems) {
        if (text == null) {
            return null;
        }
        Optional<Money> money =
                Money.parse(text).filter(each -> each.micros() >= 0 && each.micros() <= Price.CALL_MICROS_MAX);
        if (money.isEmpty()) {
            problems.add(
                    UserErrorCode.INVALID,
                    "must be a decimal from 0 to 1000000000 with at most 6 decimals, such as 0.15; where the price is"
                            + " unknown, put none",
                    member);
        }
        return money.orElse(null);
    }
}
