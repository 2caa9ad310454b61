package io.sluice.tenants.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.RandomDecision;
import io.sluice.tenants.Seeds;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.money.Money;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordWriterPropertyTest {
    record Figures(double d, long l, int i, Instant at, Money money) {}

    record Words(String text, List<String> more, Boolean flag, Map<String, Integer> other) {}

    record Nothing(String a, Integer b) {}

    private final RecordWriter writer = new RecordWriter();

    private byte[] written(Record record) {
        writer.write(record);
        byte[] bytes = new byte[writer.length() + 1];
        writer.copyTo(bytes, 1);
        return Arrays.copyOfRange(bytes, 1, bytes.length);
    }

    @Test
    void theSameDecisionIsReadBack() {
        Seeds.check(5_000, random -> {
            DecisionRecord record = new RandomDecision(random).record();
            byte[] written = written(record);
            DecisionRecord read = RecordWriter.reader(DecisionRecord.class).readValue(written);
            assertThat(read).isEqualTo(record);
        });
    }

    @Test
    void everyNumberInstantAndAmountComesBackBitForBit() throws Exception {
        Seeds.check(5_000, random -> {
            double bits = Double.longBitsToDouble(random.nextLong());
            double decimal = random.nextInt(1_000_000_000) / Math.pow(10, random.nextInt(9));
            for (double d : new double[] {bits, decimal, -decimal, Math.rint(decimal), -0.0, 0x1p53, 1e-7}) {
                if (Double.isFinite(d)) {
                    long l = random.nextLong() >> random.nextInt(64);
                    int nanos = random.nextInt(1_000) * new int[] {1, 1_000, 1_000_000}[random.nextInt(3)];
                    Figures figures = new Figures(
                            d,
                            l,
                            (int) l,
                            Instant.ofEpochSecond(random.nextLong(4_000_000_000L), nanos),
                            new Money(random.nextLong() >> random.nextInt(64)));
                    assertThat(StrictJson.MAPPER.readValue(written(figures), Figures.class))
                            .isEqualTo(figures);
                }
            }
        });
        Figures least = new Figures(
                Double.MIN_VALUE, Long.MIN_VALUE, Integer.MIN_VALUE, Instant.EPOCH, new Money(Long.MIN_VALUE));
        assertThat(StrictJson.MAPPER.readValue(written(least), Figures.class)).isEqualTo(least);
    }

    @Test
    void everyTextComesBack() {
        Seeds.check(5_000, random -> {
            int[] points = random.ints(random.nextInt(40), 0, random.nextBoolean() ? 0x80 : 0x11_0000)
                    .filter(point -> point < 0xD800 || point > 0xDFFF)
                    .toArray();
            String text = new String(points, 0, points.length);
            Words words = new Words(text, Arrays.asList(text, null, "x"), random.nextBoolean(), Map.of("n", 1));
            assertThat(StrictJson.MAPPER.readValue(written(words), Words.class)).isEqualTo(words);
        });
    }

    @Test
    void membersThatAreNullAreLeftOut() {
        assertThat(new String(written(new Nothing(null, null)), StandardCharsets.UTF_8))
                .isEqualTo("{}");
        assertThat(new String(written(new Nothing(null, 7)), StandardCharsets.UTF_8))
                .isEqualTo("{\"b\":7}");
    }
}
