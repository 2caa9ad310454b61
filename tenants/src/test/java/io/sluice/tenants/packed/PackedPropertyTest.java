package io.sluice.tenants.packed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.Seeds;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class PackedPropertyTest {
    private static final List<String> WORDS =
            Arrays.asList(null, "", "a", "shop", "café", "🙂 emoji", "x".repeat(2_000));

    private static long number(SplittableRandom random) {
        return random.nextLong() >> random.nextInt(64);
    }

    @Test
    void everythingComesBackInItsOrder() {
        Seeds.check(2_000, random -> {
            boolean growing = random.nextBoolean();
            ByteBuffer bytes = ByteBuffer.allocate(1 << 17);
            PackedWriter out = growing ? PackedWriter.growing() : PackedWriter.into(bytes);
            List<Object> written = new ArrayList<>();
            List<Function<PackedReader, Object>> reads = new ArrayList<>();
            for (int i = random.nextInt(40); i > 0; i--) {
                written.add(step(random, out, reads));
            }
            PackedReader in = new PackedReader(growing ? ByteBuffer.wrap(out.bytes()) : bytes.flip());
            List<Object> found = new ArrayList<>();
            reads.forEach(read -> found.add(read.apply(in)));
            assertThat(found).isEqualTo(written);
            assertThat(in.hasMore()).isFalse();
        });
    }

    private static Object step(SplittableRandom random, PackedWriter out, List<Function<PackedReader, Object>> reads) {
        String word = WORDS.get(random.nextInt(WORDS.size()));
        long number = number(random);
        boolean flag = random.nextBoolean();
        return switch (random.nextInt(5)) {
            case 0 -> did(() -> out.whole(number), number, reads, PackedReader::whole);
            case 1 -> did(() -> out.signed(number), number, reads, PackedReader::signed);
            case 2 -> did(() -> out.flag(flag), flag, reads, PackedReader::flag);
            case 3 -> did(() -> out.text(word), word, reads, PackedReader::text);
            default -> did(() -> out.word(word), word, reads, PackedReader::word);
        };
    }

    private static Object did(
            Runnable write,
            Object value,
            List<Function<PackedReader, Object>> reads,
            Function<PackedReader, Object> read) {
        write.run();
        reads.add(read);
        return value;
    }

    @Test
    void readingAnythingEndsInAValueOrAPlainRefusal() {
        Seeds.check(5_000, random -> {
            byte[] bytes = new byte[random.nextInt(30)];
            random.nextBytes(bytes);
            List<Object> values = new ArrayList<>();
            PackedReader in = new PackedReader(ByteBuffer.wrap(bytes));
            List<Supplier<Object>> reads = List.of(in::whole, in::signed, in::flag, in::text, in::word, in::count);
            try {
                while (in.hasMore()) {
                    values.add(reads.get(random.nextInt(reads.size())).get());
                }
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).isNotEmpty();
            }
            assertThat(values).hasSizeLessThanOrEqualTo(bytes.length);
        });
    }

    @Test
    void aWordThatComesAgainTakesTwoBytesAtMost() {
        PackedWriter out = PackedWriter.growing();
        out.word("scenario-of-some-length");
        int once = out.bytes().length;
        out.word("scenario-of-some-length");
        assertThat(out.bytes().length - once).isLessThanOrEqualTo(2);
    }

    @Test
    void aBufferThatIsNotItsOwnNeverGrows() {
        PackedWriter out = PackedWriter.into(ByteBuffer.allocate(8));
        assertThatThrownBy(() -> out.text("longer than that")).isInstanceOf(BufferOverflowException.class);
    }
}
