package io.sluice.data.request;

import io.sluice.data.recall.CachedAnswer;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.FinishReason;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.RungEdit;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;

/** What rungs answer that call nothing: an old answer to an equal request, keywords, a text. For one request on one event loop. */
final class StaticAnswers {
    private final Identified identified;
    private final CacheStep.Asked asked;

    StaticAnswers(Identified identified, CacheStep.Asked asked) {
        this.identified = identified;
        this.asked = asked;
    }

    /**
     * An answer.
     *
     * @param model that wrote it; null where none did
     * @param givenUp the word for what it lacks
     * @param noticed whether the scenario's notice may stand before it; a text says by itself what it is
     */
    record Given(List<AnswerFrame> frames, TokenUsage usage, String model, String givenUp, boolean noticed) {}

    /** The answer of {@code rung}; null where it has none to this question. */
    Given of(CompiledRung rung) {
        return rung.fold(
                pool -> null,
                this::cached,
                rules -> text(rules.rules().answer(identified.chat().question()), true),
                text -> text(text.text(), false));
    }

    private static Given text(String text, boolean noticed) {
        if (text == null) {
            return null;
        }
        AnswerFrame frame =
                AnswerFrame.of(new AnswerEvent.ContentDelta(0, text), new AnswerEvent.Finished(0, FinishReason.STOP));
        return new Given(List.of(frame), TokenUsage.NONE, null, RungEdit.STATIC_ANSWER, noticed);
    }

    private Given cached(CompiledRung.Cache rung) {
        if (!asked.mayAnswerStale(rung.maxAgeMs())) {
            return null;
        }
        CachedAnswer answer = asked.found();
        HttpServerResponse response = identified.arrival().http().response();
        CacheStep.tellHit(response, asked.ageS());
        return new Given(
                answer.framesFor(identified.chat().streamed()),
                answer.usage(),
                answer.model(),
                RungEdit.STALE_ANSWER,
                true);
    }
}
