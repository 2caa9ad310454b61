package io.sluice.tenants.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.Seeds;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultDeciderPropertyTest {
    private static final int TRACES = 1_000;

    /** Four standard deviations of a share of one half among {@link #TRACES}: 0.0632. */
    private static final double BOUND = 0.064;

    @Test
    void theShareIsHonouredAmongAThousandTraceIds() {
        for (double share : new double[] {0.01, 0.1, 0.25, 0.5, 0.9}) {
            assertThat(struckAmong("rule", share, 1)).as("share %s", share).isBetween(share - BOUND, share + BOUND);
        }
    }

    @Test
    void theShareIsHonouredAmongTraceIdsThatDifferInOneDigitOnly() {
        List<FaultOdds> odds = List.of(new FaultOdds("rule", 0.5));
        long struck = IntStream.range(0, TRACES)
                .filter(i -> FaultDecider.struck(odds, String.format("%032x", i), 1) != null)
                .count();

        assertThat(struck / (double) TRACES).isBetween(0.5 - BOUND, 0.5 + BOUND);
    }

    @Test
    void aRepeatHasADrawOfItsOwn() {
        long both = traces().stream()
                .filter(trace -> struck("rule", 0.5, trace, 1) && struck("rule", 0.5, trace, 2))
                .count();

        assertThat(both / (double) TRACES).isBetween(0.25 - BOUND, 0.25 + BOUND);
    }

    @Test
    void twoRulesDoNotShareTheirLuck() {
        long both = traces().stream()
                .filter(trace -> struck("one", 0.5, trace, 1) && struck("two", 0.5, trace, 1))
                .count();

        assertThat(both / (double) TRACES).isBetween(0.25 - BOUND, 0.25 + BOUND);
    }

    @Test
    void theSameAttemptAlwaysMeetsTheSame() {
        Seeds.check(100, random -> {
            String trace = String.format("%016x%016x", random.nextLong(), random.nextLong());
            double share = random.nextDouble();
            int n = random.nextInt(5);
            assertThat(struck("rule", share, trace, n)).isEqualTo(struck("rule", share, trace, n));
            assertThat(FaultDecider.unit(trace, n, "rule")).isBetween(0.0, Math.nextDown(1.0));
        });
    }

    private static double struckAmong(String rule, double share, int n) {
        return traces().stream().filter(trace -> struck(rule, share, trace, n)).count() / (double) TRACES;
    }

    private static boolean struck(String rule, double share, String trace, int n) {
        return FaultDecider.struck(List.of(new FaultOdds(rule, share)), trace, n) != null;
    }

    /** A thousand ids that look random, the same in every run. */
    private static List<String> traces() {
        java.util.SplittableRandom random = new java.util.SplittableRandom(7);
        return IntStream.range(0, TRACES)
                .mapToObj(i -> String.format("%016x%016x", random.nextLong(), random.nextLong()))
                .toList();
    }
}
