package io.sluice.plugins.simulator;

import io.sluice.plugins.api.fault.FaultAnswers;
import io.sluice.tenants.fault.FaultKind;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Gives one answer at the scripted pace, with the scripted fault; stops at once when the caller leaves. On one event loop. */
final class SimulatedCall {
    private final Vertx vertx;
    private final HttpServerResponse response;
    private final SimulatorScript script;
    private final Fault fault;
    private final AnswerText text;
    private final Consumer<Boolean> onEnd;
    private boolean over;
    private List<String> events = List.of();
    private int next;
    private long firstDueMs;

    /**
     * @param fault null where the answer goes well
     * @param onEnd told once, whether the caller left
     */
    SimulatedCall(
            Vertx vertx,
            HttpServerResponse response,
            SimulatorScript script,
            Fault fault,
            AnswerText text,
            Consumer<Boolean> onEnd) {
        this.vertx = vertx;
        this.response = response;
        this.script = script;
        this.fault = fault;
        this.text = text;
        this.onEnd = onEnd;
        response.exceptionHandler(gone -> over(true));
        response.closeHandler(gone -> over(true));
    }

    void begin(boolean streamed, boolean includeUsage) {
        long latencyMs = script.latencyMs() + (is(FaultKind.SLOW) ? fault.delayMs() : 0);
        if (is(FaultKind.HANG) && (!streamed || fault.afterEvents() < 0)) {
            return;
        }
        after(latencyMs, () -> answer(streamed, includeUsage));
    }

    private boolean is(FaultKind kind) {
        return fault != null && fault.kind() == kind;
    }

    private void after(long ms, Runnable act) {
        if (ms <= 0) {
            act.run();
        } else {
            vertx.setTimer(ms, due -> {
                if (!over) {
                    act.run();
                }
            });
        }
    }

    private void answer(boolean streamed, boolean includeUsage) {
        Optional<FaultAnswers.Answer> instead = fault == null ? Optional.empty() : FaultAnswers.instead(fault.kind());
        if (instead.isPresent()) {
            if (fault.retryAfterS() >= 0) {
                response.putHeader("retry-after", Integer.toString(fault.retryAfterS()));
            }
            end(
                    instead.get().status(),
                    instead.get().contentType(),
                    instead.get().body());
        } else if (is(FaultKind.RESET) || is(FaultKind.REFUSED)) {
            reset();
        } else if (streamed) {
            response.putHeader("content-type", "text/event-stream").putHeader("cache-control", "no-cache");
            response.setChunked(true);
            events = events(includeUsage);
            firstDueMs = System.currentTimeMillis() + script.firstTokenMs();
            after(script.firstTokenMs(), this::pump);
        } else {
            after(wholeMs(), this::whole);
        }
    }

    private long wholeMs() {
        long tokens = text.answer().completionTokens();
        long slowMs = is(FaultKind.SLOW_BODY) ? fault.delayMs() : 0;
        return slowMs
                + script.firstTokenMs()
                + (script.tokensPerSecond() == 0 ? 0 : 1_000 * tokens / script.tokensPerSecond());
    }

    private void whole() {
        String body = is(FaultKind.EMPTY)
                ? FaultAnswers.empty(false)
                : is(FaultKind.ERROR_IN_STREAM) ? FaultAnswers.ERROR_WITHIN : text.whole();
        if (is(FaultKind.CUT)) {
            response.putHeader("content-type", "application/json");
            response.putHeader("content-length", Integer.toString(body.length()));
            response.write(body.substring(0, body.length() / 2)).onComplete(written -> reset());
        } else if (is(FaultKind.TRUNCATED) || is(FaultKind.BAD_JSON)) {
            end(200, "application/json", body.substring(0, body.length() / 2));
        } else {
            end(200, "application/json", body);
        }
    }

    /** The events of the stream, with what the fault does to them. */
    private List<String> events(boolean includeUsage) {
        if (is(FaultKind.EMPTY)) {
            return List.of(FaultAnswers.empty(true), "[DONE]");
        }
        List<String> whole = text.chunks(includeUsage);
        boolean breaks = is(FaultKind.CUT)
                || is(FaultKind.TRUNCATED)
                || is(FaultKind.HANG)
                || is(FaultKind.BAD_JSON)
                || is(FaultKind.ERROR_IN_STREAM);
        if (!breaks) {
            return whole;
        }
        int kept = Math.min(fault.events(), whole.size() - 1);
        List<String> begun = new ArrayList<>(whole.subList(0, kept));
        if (is(FaultKind.BAD_JSON)) {
            begun.add(whole.get(0).substring(0, whole.get(0).length() / 2));
        } else if (is(FaultKind.ERROR_IN_STREAM)) {
            begun.add(FaultAnswers.ERROR_WITHIN);
        }
        return begun;
    }

    /** Writes every event that is due, then waits for the next or for the connection. */
    private void pump() {
        while (!over && next < events.size()) {
            long waitMs = dueMs(next) - System.currentTimeMillis();
            if (waitMs > 0) {
                after(waitMs, this::pump);
                return;
            }
            if (response.writeQueueFull()) {
                response.drainHandler(drained -> pump());
                return;
            }
            response.write("data: " + events.get(next++) + "\n\n");
        }
        if (over || is(FaultKind.HANG)) {
            return;
        }
        if (is(FaultKind.CUT)) {
            reset();
        } else {
            over(false);
            response.end();
        }
    }

    private long dueMs(int event) {
        long slowMs = is(FaultKind.SLOW_BODY) ? fault.delayMs() * (event + 1) : 0;
        return firstDueMs + slowMs + (script.tokensPerSecond() == 0 ? 0 : 1_000L * event / script.tokensPerSecond());
    }

    private void end(int status, String type, String body) {
        over(false);
        response.setStatusCode(status).putHeader("content-type", type).end(body);
    }

    private void reset() {
        over(false);
        response.reset();
    }

    private void over(boolean byCaller) {
        if (!over) {
            over = true;
            onEnd.accept(byCaller);
        }
    }
}
