package io.sluice.data.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventSplitterTest {
    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void findsTheSameEventsHoweverTheNetworkCutThem(String end) {
        String stream = "data: a\n\n: note\n\nevent: x\ndata: b\n\ndata: c\n\n".replace("\n", end);
        for (int size = 1; size <= stream.length(); size++) {
            EventSplitter splitter = new EventSplitter();
            List<String> events = new ArrayList<>();
            for (int from = 0; from < stream.length(); from += size) {
                String piece = stream.substring(from, Math.min(stream.length(), from + size));
                splitter.feed(Buffer.buffer(piece)).forEach(event -> events.add(event.toString()));
            }
            String rest = splitter.rest().toString();

            assertThat(String.join("", events) + rest).as("pieces of %s", size).isEqualTo(stream);
            assertThat(events)
                    .as("pieces of %s", size)
                    .extracting(event -> event.strip().replace(end, "|"))
                    .containsExactly("data: a", ": note", "event: x|data: b", "data: c");
        }
    }

    @Test
    void holdsWhatIsNotWholeYet() {
        EventSplitter splitter = new EventSplitter();

        assertThat(splitter.feed(Buffer.buffer("data: a\n"))).isEmpty();
        assertThat(splitter.heldBytes()).isEqualTo(8);
        assertThat(splitter.rest()).hasToString("data: a\n");
        assertThat(splitter.heldBytes()).isZero();
    }

    @Test
    void blankLinesAloneAreNoEvent() {
        assertThat(new EventSplitter().feed(Buffer.buffer("\n\n\n\ndata: a\n\n")))
                .hasSize(1);
    }
}
