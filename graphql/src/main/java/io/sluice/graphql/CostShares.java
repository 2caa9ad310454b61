package io.sluice.graphql;

import io.sluice.control.api.SpendFigures;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Parts of one cost by class of usage, in the proportions of the price; they add up to the cost exactly, the largest remainders are rounded
 * up. Where the price is not known any more every token weighs the same, and calls of tools nothing. Pure.
 */
final class CostShares {
    /** Units of what is shared. */
    static final String TOKENS = "tokens";

    static final String CALLS = "calls";

    /** A price per million tokens is so many times one per token. */
    private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);

    private CostShares() {}

    /**
     * One class of usage, those without any left out.
     *
     * @param unit of the quantity: {@link #TOKENS} or {@link #CALLS}
     */
    record Share(String meter, String unit, long quantity, Money cost) {}

    /** @param price null where it is not known */
    static List<Share> of(SpendFigures figures, Price price) {
        List<Share> classes = new ArrayList<>();
        List<BigInteger> weights = new ArrayList<>();
        add(classes, weights, "input", figures.input(), price == null ? null : price.inputPerMTok(), price);
        add(
                classes,
                weights,
                "cached_input",
                figures.cachedInput(),
                price == null ? null : price.cachedInputPerMTok(),
                price);
        add(
                classes,
                weights,
                "cache_write",
                figures.cacheWrite(),
                price == null ? null : price.cacheWritePerMTok(),
                price);
        add(classes, weights, "output", figures.output(), price == null ? null : price.outputPerMTok(), price);
        Money reasoning = price == null
                ? null
                : price.reasoningPerMTok() == null ? price.outputPerMTok() : price.reasoningPerMTok();
        add(classes, weights, "reasoning", figures.reasoning(), reasoning, price);
        addCalls(classes, weights, figures.serverToolCalls(), price);
        return shared(figures.cost().micros(), classes, weights);
    }

    private static void add(
            List<Share> classes, List<BigInteger> weights, String meter, long tokens, Money perMTok, Price price) {
        if (tokens == 0) {
            return;
        }
        long weight = price == null ? 1 : (perMTok == null ? price.inputPerMTok() : perMTok).micros();
        classes.add(new Share(meter, TOKENS, tokens, Money.ZERO));
        weights.add(BigInteger.valueOf(tokens).multiply(BigInteger.valueOf(weight)));
    }

    private static void addCalls(List<Share> classes, List<BigInteger> weights, long calls, Price price) {
        if (calls == 0) {
            return;
        }
        long fee = price == null || price.perServerToolCall() == null
                ? 0
                : price.perServerToolCall().micros();
        classes.add(new Share("server_tool_calls", CALLS, calls, Money.ZERO));
        weights.add(BigInteger.valueOf(calls).multiply(BigInteger.valueOf(fee)).multiply(MILLION));
    }

    private static List<Share> shared(long micros, List<Share> classes, List<BigInteger> weights) {
        BigInteger whole = weights.stream().reduce(BigInteger.ZERO, BigInteger::add);
        List<BigInteger> used = whole.signum() == 0
                ? classes.stream()
                        .map(share -> BigInteger.valueOf(share.quantity()))
                        .toList()
                : weights;
        BigInteger sum = used.stream().reduce(BigInteger.ZERO, BigInteger::add);
        if (classes.isEmpty()) {
            return List.of();
        }
        long[] parts = new long[classes.size()];
        BigInteger[] rests = new BigInteger[classes.size()];
        long left = micros;
        for (int i = 0; i < parts.length; i++) {
            BigInteger[] share =
                    BigInteger.valueOf(micros).multiply(used.get(i)).divideAndRemainder(sum);
            parts[i] = share[0].longValueExact();
            rests[i] = share[1];
            left -= parts[i];
        }
        List<Integer> byRest = new ArrayList<>(
                java.util.stream.IntStream.range(0, parts.length).boxed().toList());
        byRest.sort(Comparator.comparing((Integer i) -> rests[i]).reversed());
        for (int i = 0; i < left; i++) {
            parts[byRest.get(i)]++;
        }
        List<Share> shares = new ArrayList<>();
        for (int i = 0; i < parts.length; i++) {
            Share of = classes.get(i);
            shares.add(new Share(of.meter(), of.unit(), of.quantity(), new Money(parts[i])));
        }
        return shares;
    }
}
