package io.sluice.plugins.openai;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random streams, cut at random: the events are those that a plain line-by-line reading finds. */
class SseParserPropertyTest {
    private static final int STREAMS = 3_000;
    private static final String[] LINES = {
        "data: a",
        "data:b",
        "data",
        "data:",
        "data:  two",
        ": comment",
        "event: x",
        "id: 1",
        "retry: -1",
        "datax: no",
        "{bare",
        "data: é🌍",
        "",
        "",
        "",
        "data: {\"a\":1}"
    };
    private static final String[] ENDS = {"\n", "\r", "\r\n"};

    @Test
    void eventsDoNotDependOnLineEndsAndCuts() {
        for (int seed = 0; seed < STREAMS; seed++) {
            Random random = new Random(seed);
            List<String> lines = new ArrayList<>();
            StringBuilder stream = new StringBuilder();
            for (int i = random.nextInt(20); i >= 0; i--) {
                String line = LINES[random.nextInt(LINES.length)];
                lines.add(line);
                // A blank line that ends in LF right after a line that ends in CR would be one line end.
                boolean afterCr = stream.length() > 0 && stream.charAt(stream.length() - 1) == '\r';
                stream.append(line).append(line.isEmpty() && afterCr ? "\r" : ENDS[random.nextInt(ENDS.length)]);
            }

            assertThat(parse(stream.toString().getBytes(StandardCharsets.UTF_8), random))
                    .as("seed %d: %s", seed, lines)
                    .isEqualTo(expected(lines));
        }
    }

    /** The events and bare objects, as the standard has it. */
    private static List<String> expected(List<String> lines) {
        List<String> events = new ArrayList<>();
        List<String> data = new ArrayList<>();
        for (String line : lines) {
            if (line.isEmpty() && !data.isEmpty()) {
                events.add(String.join("\n", data));
                data.clear();
            } else if (line.equals("data")) {
                data.add("");
            } else if (line.startsWith("data:")) {
                String value = line.substring(5);
                data.add(value.startsWith(" ") ? value.substring(1) : value);
            } else if (line.startsWith("{")) {
                events.add("bare " + line);
            }
        }
        if (!data.isEmpty()) {
            events.add(String.join("\n", data));
        }
        return events;
    }

    private static List<String> parse(byte[] bytes, Random random) {
        List<String> events = new ArrayList<>();
        SseParser parser = new SseParser(new SseParser.Listener() {
            @Override
            public boolean onData(byte[] from, int start, int end, boolean ascii, Buffer piece) {
                String text = new String(from, start, end - start, StandardCharsets.UTF_8);
                assertThat(ascii).isEqualTo(text.chars().allMatch(c -> c < 128));
                if (piece != null) {
                    assertThat(piece.getString(start, end)).isEqualTo(text);
                }
                return events.add(text);
            }

            @Override
            public boolean onBareObject(byte[] from, int start, int end) {
                return events.add("bare " + new String(from, start, end - start, StandardCharsets.UTF_8));
            }

            @Override
            public void onTooLong() {
                throw new AssertionError("nothing here is long");
            }
        });
        for (int from = 0; from < bytes.length; ) {
            int to = Math.min(bytes.length, from + 1 + random.nextInt(1 + random.nextInt(40)));
            parser.feed(Buffer.buffer(Arrays.copyOfRange(bytes, from, to)));
            from = to;
        }
        parser.end();
        return events;
    }
}
