package io.sluice.data.request;

import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.RecallRecord;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;

/** The caller's socket. */
final class CallerOutlet implements Outlet {
    private static final CharSequence JSON = HttpHeaders.createOptimized(AnswerForm.WHOLE.contentType());

    private static final CharSequence EVENT_STREAM = HttpHeaders.createOptimized(AnswerForm.STREAM.contentType());

    private static final CharSequence NO_CACHE = HttpHeaders.createOptimized("no-cache");

    private final Arrival arrival;
    private final HttpServerResponse response;

    CallerOutlet(Arrival arrival) {
        this.arrival = arrival;
        response = arrival.http().response();
    }

    @Override
    public void head(AnswerHead head, AnswerForm form) {
        Reply.common(arrival);
        Reply.route(response, head);
        if (form == AnswerForm.WHOLE) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, JSON);
        } else {
            response.putHeader(HttpHeaders.CONTENT_TYPE, EVENT_STREAM);
            response.putHeader(HttpHeaders.CACHE_CONTROL, NO_CACHE);
            response.setChunked(true);
        }
    }

    @Override
    public void write(Buffer piece) {
        response.write(piece);
    }

    @Override
    public void keepAlive(Buffer comment) {
        if (!response.writeQueueFull()) {
            response.write(comment);
        }
    }

    @Override
    public Future<Void> end(Buffer last) {
        return response.end(last);
    }

    @Override
    public boolean goesOn() {
        return false;
    }

    @Override
    public RecallRecord settled(List<AttemptRecord> attempts) {
        return null;
    }

    @Override
    public void whenDone(Runnable after) {
        after.run();
    }
}
