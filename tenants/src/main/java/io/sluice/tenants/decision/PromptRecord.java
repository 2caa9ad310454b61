package io.sluice.tenants.decision;

import io.sluice.tenants.json.RecordWriter;
import io.sluice.tenants.money.Vocabulary;
import java.util.List;

/**
 * That a request's prompt was counted, because its bound by bytes, or its estimate, would have kept it from something. A request
 * without this was bounded and estimated by its bytes alone.
 *
 * @param bytesMax the bound by bytes that was too large
 * @param counts by each vocabulary that mattered
 * @param uses what it was counted for
 */
public record PromptRecord(int bytesMax, List<Count> counts, List<Use> uses) implements RecordWriter.Written {
    public PromptRecord {
        counts = List.copyOf(counts);
        uses = List.copyOf(uses);
    }

    /** What a count was to decide. */
    public enum Use {
        /** Whether a limit on tokens lets the request in. */
        LIMIT,
        /** Whether the prompt fits the window of a model. */
        WINDOW,
        /** Whether spend caps cover what the request may cost. */
        MONEY
    }

    /**
     * A count.
     *
     * @param tokens that the prompt has at most, images, the provider's words around tools and a rung's own prompt left out
     */
    public record Count(Vocabulary vocabulary, long tokens) implements RecordWriter.Written {
        @Override
        public void members(RecordWriter out) {
            out.word("vocabulary", vocabulary);
            out.whole("tokens", tokens);
        }
    }

    @Override
    public void members(RecordWriter out) {
        out.whole("bytesMax", bytesMax);
        out.each("counts", counts);
        out.any("uses", uses);
    }
}
