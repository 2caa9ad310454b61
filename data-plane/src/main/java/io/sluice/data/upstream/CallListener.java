package io.sluice.data.upstream;

import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.QuotaFigures;

/** Hears what one call brings, on the event loop that started it. */
public interface CallListener {
    /** A piece of the answer; its events hold no terminal one. */
    void onFrame(AnswerFrame frame);

    /** All frames of one read of the network were given: the moment to write what was collected. */
    void onReadComplete();

    /** The call is over. Called exactly once, and never after {@link UpstreamExchange#cancel}. */
    void onEnd(CallEnd end);

    /** The answer says what is left of the account's limits. At most once, before any frame. */
    default void onQuota(QuotaFigures figures) {}

    /** Nothing was heard for a while, but the answer goes on: a moment for a keep-alive. */
    void onSilence();
}
