package io.sluice.tenants.money;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * What a model costs from one instant on. Amounts are micro-units per million tokens, so {@code $1.00 per million} is
 * 1,000,000.
 *
 * @param validFrom the first instant at which it holds
 * @param inputPerMTok price of a million uncached prompt tokens
 * @param outputPerMTok price of a million answer tokens
 * @param cachedInputPerMTok price of a million tokens read from the prompt cache; null means the input price
 * @param cacheWritePerMTok price of a million tokens written to the prompt cache; null means the input price
 * @param reasoningPerMTok price of a million answer tokens spent thinking; null means the output price
 * @param perImage price of one image in the prompt beside its tokens; null means nothing
 * @param perServerToolCall fee for one call of a tool that the provider runs itself, such as a web search, beside its tokens; null means
 *     nothing
 * @param tiers prices of long prompts, in ascending order of their threshold; the compact constructor sorts them
 * @param hours factors by time of day, of which the first that holds counts; at other times the price is as it stands
 * @param serviceTiers factors by the provider's service tier; in others the price is as it stands. A tier with a factor is one in which
 *     calls may be served
 * @param regions factors by the provider's region; in others the price is as it stands
 * @param version of exactly these prices: the date and a digest of the rest, so it names the same prices for ever; null lets the
 *     compact constructor find it
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Price(
        Instant validFrom,
        Money inputPerMTok,
        Money outputPerMTok,
        Money cachedInputPerMTok,
        Money cacheWritePerMTok,
        Money reasoningPerMTok,
        Money perImage,
        Money perServerToolCall,
        List<PriceTier> tiers,
        List<PriceHours> hours,
        List<PriceFactor> serviceTiers,
        List<PriceFactor> regions,
        String version) {
    /**
     * Most that one call is charged, a thousand million units: an absurd price must not break the sums of a ledger, which bear nine times as
     * much.
     */
    public static final long CALL_MICROS_MAX = 1_000_000_000L * 1_000_000;

    /** An hour factor that changes nothing. */
    static final int WHOLE_PERCENT = 100;

    /** Prices are per million tokens and in hundredths while an hour factor is in them. */
    private static final long DIVISOR = 1_000_000L * WHOLE_PERCENT;

    /** What service tier and region leave as it is: the product of two percentages. */
    private static final int WHOLE = WHOLE_PERCENT * WHOLE_PERCENT;

    /** 48 bits: two different prices of one model and date agree in one of 10^14 cases. */
    private static final int DIGEST_BYTES = 6;

    public Price {
        Objects.requireNonNull(validFrom);
        requireNotNegative(inputPerMTok);
        requireNotNegative(outputPerMTok);
        requireNotNegative(cachedInputPerMTok == null ? Money.ZERO : cachedInputPerMTok);
        requireNotNegative(cacheWritePerMTok == null ? Money.ZERO : cacheWritePerMTok);
        requireNotNegative(reasoningPerMTok == null ? Money.ZERO : reasoningPerMTok);
        requireNotNegative(perImage == null ? Money.ZERO : perImage);
        requireNotNegative(perServerToolCall == null ? Money.ZERO : perServerToolCall);
        tiers = tiers == null
                ? List.of()
                : tiers.stream()
                        .sorted(Comparator.comparingLong(PriceTier::abovePromptTokens))
                        .toList();
        for (int i = 1; i < tiers.size(); i++) {
            if (tiers.get(i).abovePromptTokens() == tiers.get(i - 1).abovePromptTokens()) {
                throw new IllegalArgumentException("two tiers have one threshold");
            }
        }
        hours = hours == null ? List.of() : List.copyOf(hours);
        serviceTiers = factors(serviceTiers);
        regions = factors(regions);
        if (version == null) {
            List<Object> amounts = new ArrayList<>(List.of(
                    inputPerMTok,
                    outputPerMTok,
                    "" + cachedInputPerMTok,
                    "" + cacheWritePerMTok,
                    "" + reasoningPerMTok,
                    "" + perImage,
                    tiers,
                    hours));
            // Prices without these keep the version that they always had.
            if (!serviceTiers.isEmpty() || !regions.isEmpty()) {
                amounts.addAll(List.of(serviceTiers, regions));
            }
            if (perServerToolCall != null) {
                amounts.add("per server tool call " + perServerToolCall);
            }
            version = versionOf(validFrom, amounts);
        }
    }

    /** A price without fees for tools that is the same in all service tiers and regions, and whose version follows from it. */
    public Price(
            Instant validFrom,
            Money inputPerMTok,
            Money outputPerMTok,
            Money cachedInputPerMTok,
            Money cacheWritePerMTok,
            Money reasoningPerMTok,
            Money perImage,
            List<PriceTier> tiers,
            List<PriceHours> hours) {
        this(
                validFrom,
                inputPerMTok,
                outputPerMTok,
                cachedInputPerMTok,
                cacheWritePerMTok,
                reasoningPerMTok,
                perImage,
                null,
                tiers,
                hours,
                List.of(),
                List.of(),
                null);
    }

    /** The same at all lengths and hours; thinking costs what other output costs, images only their tokens. */
    public Price(
            Instant validFrom,
            Money inputPerMTok,
            Money outputPerMTok,
            Money cachedInputPerMTok,
            Money cacheWritePerMTok) {
        this(
                validFrom,
                inputPerMTok,
                outputPerMTok,
                cachedInputPerMTok,
                cacheWritePerMTok,
                null,
                null,
                List.of(),
                List.of());
    }

    static void requireNotNegative(Money money) {
        if (money.micros() < 0) {
            throw new IllegalArgumentException("a price is never negative");
        }
    }

    private static String versionOf(Instant validFrom, List<Object> rest) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((validFrom + "|" + rest).getBytes(StandardCharsets.UTF_8));
            String from = validFrom.toString();
            return from.substring(0, from.indexOf('T')) + "." + HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }

    /** The same prices from another instant on. */
    public Price from(Instant other) {
        return new Price(
                other,
                inputPerMTok,
                outputPerMTok,
                cachedInputPerMTok,
                cacheWritePerMTok,
                reasoningPerMTok,
                perImage,
                perServerToolCall,
                tiers,
                hours,
                serviceTiers,
                regions,
                null);
    }

    /**
     * The cost of one attempt that began at {@code at}: Σ class × its price, for tokens that of the prompt's tier, × factors of the hour,
     * the service tier and the region, summed exactly and rounded up once to a whole micro-unit; at most {@link #CALL_MICROS_MAX}.
     */
    public Money costOf(TokenUsage usage, Served served, Instant at) {
        return costOf(
                usage,
                tier(usage.promptTotal()),
                percentAt(at),
                percentOf(serviceTiers, served.serviceTier()) * percentOf(regions, served.region()));
    }

    /** The cost of one attempt that is served as the price stands. */
    public Money costOf(TokenUsage usage, Instant at) {
        return costOf(usage, Served.PLAIN, at);
    }

    /** @param served product of two percentages, {@value #WHOLE} for none */
    Money costOf(TokenUsage usage, PriceTier tier, int percent, int served) {
        // Most prices have no such factor, and without them the sums stay far from the largest long.
        long factor = served == WHOLE ? percent : (long) percent * served;
        long divisor = served == WHOLE ? DIVISOR : DIVISOR * WHOLE;
        try {
            long tokens = Math.addExact(
                    Math.addExact(
                            Math.multiplyExact(usage.input(), tier.inputMicros()),
                            Math.multiplyExact(usage.cachedInput(), tier.cachedInputMicros())),
                    Math.addExact(
                            Math.multiplyExact(usage.cacheWrite(), tier.cacheWriteMicros()),
                            Math.addExact(
                                    Math.multiplyExact(usage.output(), tier.outputMicros()),
                                    Math.multiplyExact(usage.reasoning(), tier.reasoningMicros()))));
            long images = Math.multiplyExact(usage.images() * 1_000_000, imageMicros());
            long calls = Math.multiplyExact(usage.serverToolCalls() * 1_000_000, serverToolCallMicros());
            long sum = Math.multiplyExact(Math.addExact(Math.addExact(tokens, images), calls), factor);
            return new Money(Math.min(CALL_MICROS_MAX, sum / divisor + (sum % divisor == 0 ? 0 : 1)));
        } catch (ArithmeticException tooLargeForLongs) {
            return costOfHugeAmounts(usage, tier, factor, divisor);
        }
    }

    private Money costOfHugeAmounts(TokenUsage usage, PriceTier tier, long factor, long divisor) {
        BigInteger[] quotient = product(usage.input(), tier.inputMicros())
                .add(product(usage.cachedInput(), tier.cachedInputMicros()))
                .add(product(usage.cacheWrite(), tier.cacheWriteMicros()))
                .add(product(usage.output(), tier.outputMicros()))
                .add(product(usage.reasoning(), tier.reasoningMicros()))
                .add(product(usage.images() * 1_000_000, imageMicros()))
                .add(product(usage.serverToolCalls() * 1_000_000, serverToolCallMicros()))
                .multiply(BigInteger.valueOf(factor))
                .divideAndRemainder(BigInteger.valueOf(divisor));
        BigInteger rounded = quotient[1].signum() == 0 ? quotient[0] : quotient[0].add(BigInteger.ONE);
        return new Money(rounded.min(BigInteger.valueOf(CALL_MICROS_MAX)).longValueExact());
    }

    private static BigInteger product(long tokens, long microsPerMTok) {
        return BigInteger.valueOf(tokens).multiply(BigInteger.valueOf(microsPerMTok));
    }

    private long imageMicros() {
        return perImage == null ? 0 : perImage.micros();
    }

    private long serverToolCallMicros() {
        return perServerToolCall == null ? 0 : perServerToolCall.micros();
    }

    /** What a whole request costs whose prompt has so many tokens of all classes. */
    PriceTier tier(long promptTokens) {
        for (int i = tiers.size() - 1; i >= 0; i--) {
            if (promptTokens > tiers.get(i).abovePromptTokens()) {
                return tiers.get(i);
            }
        }
        return base();
    }

    /** The prices of prompts of any length for which there is no tier. */
    PriceTier base() {
        return new PriceTier(0, inputPerMTok, outputPerMTok, cachedInputPerMTok, cacheWritePerMTok, reasoningPerMTok);
    }

    /** The largest product of percentages under which a call may be served that asks as {@code asked} does. */
    int worstServed(Served asked) {
        int worst = Math.max(WHOLE_PERCENT, percentOf(serviceTiers, asked.serviceTier()));
        if (asked.anyTier()) {
            for (PriceFactor each : serviceTiers) {
                worst = Math.max(worst, each.percent());
            }
        }
        return worst * percentOf(regions, asked.region());
    }

    /** Whether the price depends on the service tier of that name. */
    public boolean hasServiceTier(String name) {
        return factor(serviceTiers, name) != null;
    }

    private static int percentOf(List<PriceFactor> factors, String name) {
        PriceFactor factor = factor(factors, name);
        return factor == null ? WHOLE_PERCENT : factor.percent();
    }

    private static PriceFactor factor(List<PriceFactor> factors, String name) {
        for (int i = 0; name != null && i < factors.size(); i++) {
            if (factors.get(i).name().equalsIgnoreCase(name)) {
                return factors.get(i);
            }
        }
        return null;
    }

    private static List<PriceFactor> factors(List<PriceFactor> factors) {
        if (factors == null) {
            return List.of();
        }
        Set<String> names = new HashSet<>();
        for (PriceFactor each : factors) {
            if (!names.add(each.name().toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("two factors are for " + each.name());
            }
        }
        return List.copyOf(factors);
    }

    /** The factor of the hour, percent. */
    int percentAt(Instant at) {
        for (PriceHours each : hours) {
            if (each.holds(at)) {
                return each.percent();
            }
        }
        return WHOLE_PERCENT;
    }
}
