package io.sluice.control.spend;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendReport;
import io.sluice.control.api.SpendRise;
import io.sluice.tenants.money.Money;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RiseDeciderTest {
    private static SpendReport.Row row(String model, long calls, long tokens, long micros) {
        return new SpendReport.Row(
                Map.of("model", model),
                new SpendFigures(calls, calls, tokens, 0, 0, 0, 0, 0, new Money(micros), Money.ZERO, 0));
    }

    private static SpendRise rise(List<SpendReport.Row> base, List<SpendReport.Row> present) {
        return RiseDecider.decide(base, present, 50, "USD");
    }

    private static void assertFactors(SpendRise rise, long calls, long mix, long tokens, long price) {
        assertThat(List.of(rise.calls(), rise.mix(), rise.tokensPerCall(), rise.price()))
                .containsExactly(new Money(calls), new Money(mix), new Money(tokens), new Money(price));
    }

    @Test
    void moreCallsOfTheSameKindAreCalls() {
        assertFactors(rise(List.of(row("m", 10, 1_000, 500)), List.of(row("m", 15, 1_500, 750))), 250, 0, 0, 0);
    }

    @Test
    void longerCallsAreTokens() {
        assertFactors(rise(List.of(row("m", 10, 1_000, 500)), List.of(row("m", 10, 3_000, 1_500))), 0, 0, 1_000, 0);
    }

    @Test
    void dearerTokensArePrice() {
        assertFactors(rise(List.of(row("m", 10, 1_000, 500)), List.of(row("m", 10, 1_000, 800))), 0, 0, 0, 300);
    }

    @Test
    void callsThatWentToADearerModelAreMix() {
        SpendRise rise = rise(
                List.of(row("big", 10, 1_000, 1_000), row("small", 90, 9_000, 900)),
                List.of(row("big", 50, 5_000, 5_000), row("small", 50, 5_000, 500)));
        assertFactors(rise, 0, 3_600, 0, 0);
    }

    @Test
    void aNewModelIsMixAtItsOwnPrice() {
        SpendRise rise =
                rise(List.of(row("m", 10, 1_000, 100)), List.of(row("m", 10, 1_000, 100), row("new", 10, 1_000, 400)));
        assertFactors(rise, 100, 300, 0, 0);
    }

    @Test
    void everythingIsCallsWhereThereWasNothing() {
        assertFactors(rise(List.of(), List.of(row("m", 10, 1_000, 100))), 100, 0, 0, 0);
    }

    @Test
    void lessIsBrokenDownAsMoreIs() {
        assertFactors(rise(List.of(row("m", 10, 1_000, 100)), List.of()), -100, 0, 0, 0);
    }

    @Test
    void nothingBecomesOfNothing() {
        assertFactors(rise(List.of(), List.of()), 0, 0, 0, 0);
    }

    @Test
    void isUnusualByMoreThanHalf() {
        assertThat(rise(List.of(row("m", 10, 10, 100)), List.of(row("m", 10, 10, 151)))
                        .unusual())
                .isTrue();
        assertThat(rise(List.of(row("m", 10, 10, 100)), List.of(row("m", 10, 10, 150)))
                        .unusual())
                .isFalse();
    }

    @Test
    void showsTheLargestChangesFirst() {
        SpendRise rise = rise(
                List.of(row("a", 1, 1, 100), row("b", 1, 1, 500), row("c", 1, 1, 10)),
                List.of(row("a", 1, 1, 120), row("b", 1, 1, 100), row("c", 1, 1, 10)));
        assertThat(rise.segments())
                .extracting(segment -> segment.key().get("model"))
                .containsExactly("b", "a", "c");
    }

    @Test
    void factorsAddUpExactlyWhateverTheFigures() {
        for (long seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            SpendRise rise = rise(some(random), some(random));
            assertThat(rise.calls().plus(rise.mix()).plus(rise.tokensPerCall()).plus(rise.price()))
                    .as("seed %s", seed)
                    .isEqualTo(rise.change());
            for (SpendRise.Segment segment : rise.segments()) {
                assertThat(segment.calls().plus(segment.tokensPerCall()).plus(segment.price()))
                        .as("seed %s", seed)
                        .isEqualTo(segment.change());
            }
        }
    }

    private static List<SpendReport.Row> some(Random random) {
        return IntStream.range(0, random.nextInt(6))
                .mapToObj(i -> {
                    long calls = 1L + random.nextInt(1_000_000);
                    long tokens = random.nextInt(10) == 0 ? 0 : calls * random.nextInt(100_000);
                    long micros = tokens == 0 ? 0 : random.nextLong(9_000_000_000_000L);
                    return row("model-" + i, calls, tokens, micros);
                })
                .toList();
    }
}
