package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceIdsTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00-" + TRACE + "-" + SPAN + "-01",
                "cc-" + TRACE + "-" + SPAN + "-01",
                "cc-" + TRACE + "-" + SPAN + "-01-what-will-come",
            })
    void readsTheCallersTrace(String header) {
        assertThat(TraceIds.parse(header)).containsExactly(TRACE, "01");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-",
                "00-" + TRACE + "-" + SPAN,
                "00-" + TRACE + "-" + SPAN + "-01-x",
                "00-" + TRACE + "-" + SPAN + "-01x",
                "ff-" + TRACE + "-" + SPAN + "-01",
                "00-00000000000000000000000000000000-" + SPAN + "-01",
                "00-" + TRACE + "-0000000000000000-01",
                "00-0AF7651916CD43DD8448EB211C80319C-" + SPAN + "-01",
                "00-" + TRACE + "-" + SPAN + "-0g",
                "00_" + TRACE + "-" + SPAN + "-01",
            })
    void takesNoTraceFromAnInvalidHeader(String header) {
        assertThat(TraceIds.parse(header)).isNull();
    }

    @Test
    void takesNoTraceWhereThereIsNone() {
        assertThat(TraceIds.parse(null)).isNull();
    }

    @Test
    void newIdsAreValidAndDifferent() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            String id = TraceIds.newTraceId();
            assertThat(TraceIds.parse(TraceIds.traceparent(id, "00"))).containsExactly(id, "00");
            ids.add(id);
        }
        assertThat(ids).hasSize(10_000);
    }

    @Test
    void everyAttemptHasASpanOfItsOwn() {
        assertThat(TraceIds.traceparent(TRACE, "01"))
                .startsWith("00-" + TRACE + "-")
                .endsWith("-01")
                .isNotEqualTo(TraceIds.traceparent(TRACE, "01"));
    }
}
