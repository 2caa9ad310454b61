package io.sluice.tenants.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.tenants.Seeds;
import io.sluice.tenants.json.StrictJson;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyHistogramTest {
    @Test
    void quantilesAreRightWithinTenPercent() {
        Seeds.check(500, random -> {
            double[] millis = latencies(random, 1 + random.nextInt(500));
            LatencyHistogram histogram = histogramOf(millis);
            Arrays.sort(millis);
            for (double q : new double[] {0.01, 0.5, 0.9, 0.95, 0.99, 1}) {
                double exact = millis[(int) Math.ceil(q * millis.length) - 1];
                assertThat(histogram.quantile(q)).as("quantile %s", q).isCloseTo(exact, within(exact * 0.1));
            }
        });
    }

    @Test
    void twoMergedAreTheSameAsOneOfAllCalls() {
        Seeds.check(500, random -> {
            double[] one = latencies(random, random.nextInt(100));
            double[] two = latencies(random, random.nextInt(100));
            double[] all = Arrays.copyOf(one, one.length + two.length);
            System.arraycopy(two, 0, all, one.length, two.length);
            assertThat(histogramOf(one).plus(histogramOf(two)))
                    .isEqualTo(histogramOf(all))
                    .isEqualTo(histogramOf(two).plus(histogramOf(one)));
            assertThat(histogramOf(all).count()).isEqualTo(all.length);
        });
    }

    @Test
    void survivesJsonInLessThan300Bytes() {
        Seeds.check(200, random -> {
            LatencyHistogram histogram = histogramOf(latencies(random, 1 + random.nextInt(1_000)));
            String json = StrictJson.MAPPER.writeValueAsString(histogram);
            assertThat(json).hasSizeLessThan(300);
            LatencyHistogram back = StrictJson.MAPPER.readValue(json, LatencyHistogram.class);
            assertThat(back).isEqualTo(histogram).hasSameHashCodeAs(histogram);
        });
    }

    @Test
    void nothingMeasuredMeansZero() {
        assertThat(LatencyHistogram.EMPTY.quantile(0.95)).isZero();
        assertThat(LatencyHistogram.EMPTY.count()).isZero();
        assertThat(new LatencyHistogram.Recorder().drain()).isEqualTo(LatencyHistogram.EMPTY);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -5, 0.3, 1, Double.NaN, Double.NEGATIVE_INFINITY})
    void aMillisecondOrLessCountsAsOne(double millis) {
        assertThat(histogramOf(millis).quantile(1)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {117_500, 1e9, Double.MAX_VALUE, Double.POSITIVE_INFINITY})
    void longerThanTwoMinutesStaysInTheLastBucket(double millis) {
        assertThat(histogramOf(millis).counts()).hasSize(LatencyHistogram.BUCKETS);
        assertThat(histogramOf(millis).quantile(1)).isBetween(110_000.0, 140_000.0);
    }

    @Test
    void drainingBeginsAnew() {
        LatencyHistogram.Recorder recorder = new LatencyHistogram.Recorder();
        recorder.record(50_000);
        LatencyHistogram first = recorder.drain();
        recorder.record(5);
        LatencyHistogram second = recorder.drain();
        assertThat(first).isEqualTo(histogramOf(50_000));
        assertThat(second).isEqualTo(histogramOf(5));
        assertThat(recorder.drain()).isEqualTo(LatencyHistogram.EMPTY);
    }

    @Test
    void countsThatNobodyCanHaveMeasuredAreRefused() {
        assertThatThrownBy(() -> LatencyHistogram.of(new long[] {1, -1})).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LatencyHistogram.of(new long[LatencyHistogram.BUCKETS + 1]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nobodyCanChangeItFromOutside() {
        long[] counts = {1, 2};
        LatencyHistogram histogram = LatencyHistogram.of(counts);
        counts[0] = 9;
        histogram.counts()[1] = 9;
        assertThat(histogram).isEqualTo(LatencyHistogram.of(new long[] {1, 2}));
    }

    private static LatencyHistogram histogramOf(double... millis) {
        LatencyHistogram.Recorder recorder = new LatencyHistogram.Recorder();
        Arrays.stream(millis).forEach(recorder::record);
        return recorder.drain();
    }

    /** From a millisecond to a minute and a half, all magnitudes alike. */
    private static double[] latencies(SplittableRandom random, int count) {
        return random.doubles(count, 0.01, Math.log(90_000)).map(Math::exp).toArray();
    }
}
