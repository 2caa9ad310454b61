package io.sluice.data.upstream;

import io.sluice.plugins.api.AnswerDecoder;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.CredentialSource;
import io.sluice.plugins.api.Provider;
import io.sluice.plugins.api.QuotaFigures;
import io.sluice.plugins.api.Secret;
import io.sluice.plugins.api.UnsupportedRequestException;
import io.sluice.plugins.api.Upstream;
import io.sluice.plugins.api.UpstreamCall;
import io.sluice.plugins.api.UpstreamHeaders;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.routing.CompiledTarget;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * One call of one upstream: encode, send and hear over a {@link Wire}, decode, with its clocks. It ends exactly once, whatever
 * happens: complete, failed, out of time or cancelled. Lives on one event loop. This is a critical file: every way out of it
 * must release the wire.
 */
public final class UpstreamExchange {
    /** Silence after which a caller is sent a keep-alive: below the 30 to 60 s of common proxies (wire check 18). */
    private static final long SILENCE_MS = 10_000;

    private static final long NS_PER_MS = 1_000_000;

    private final Vertx vertx;
    private final CallTimers timers;
    private final CredentialSource credentials;
    private final UpstreamLimits limits;
    private final ChatRequest request;
    private final CallTimes times;
    private final CallListener listener;
    private final long startNs = System.nanoTime();
    private Provider provider;
    private Optional<Secret> credential = Optional.empty();
    private AnswerDecoder decoder;
    private Wire wire;
    private TimerWheel.Timer timer;
    private long heardNs = startNs;
    private long keptAliveNs = startNs;
    private long pausedNs;
    private long firstTokenNs;
    private double ownDelayMs;
    private long bytes;
    private int status;
    private boolean sent;
    private boolean looked;
    private boolean ended;

    UpstreamExchange(
            Vertx vertx,
            CallTimers timers,
            CredentialSource credentials,
            UpstreamLimits limits,
            ChatRequest request,
            CallTimes times,
            CallListener listener) {
        this.vertx = vertx;
        this.timers = timers;
        this.credentials = credentials;
        this.limits = limits;
        this.request = request;
        this.times = times;
        this.listener = listener;
    }

    /** @param wires makes the way out for whoever hears it */
    void start(RunningProvider running, CompiledTarget target, Function<Wire.Ear, Wire> wires) {
        if (running == null || running.provider() == null) {
            String why = running == null ? "the provider is no longer configured" : running.problem();
            vertx.runOnContext(done -> fail(FailureClass.UPSTREAM_INTERNAL, why));
            return;
        }
        try {
            credential = credentials.reveal(running.config());
        } catch (RuntimeException missing) {
            vertx.runOnContext(done -> fail(FailureClass.AUTH, "the credential can't be read"));
            return;
        }
        UpstreamCall call;
        try {
            call = encode(running.provider(), target);
            provider = running.provider();
            decoder = provider.decoder(request);
        } catch (UnsupportedRequestException unsupported) {
            vertx.runOnContext(done -> fail(FailureClass.BAD_REQUEST, unsupported.getMessage()));
            return;
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError brokenPlugin) {
            vertx.runOnContext(done -> fail(FailureClass.UPSTREAM_INTERNAL, "the plugin failed: " + brokenPlugin));
            return;
        }
        schedule();
        wire = wires.apply(new Hearing());
        wire.open(running.origin(), call, startNs);
    }

    private UpstreamCall encode(Provider provider, CompiledTarget target) throws UnsupportedRequestException {
        return provider.encode(request, new Upstream(target.nameUpstream(), credential, target.maxOutputTokens()));
    }

    /** What comes back over the wire. */
    private final class Hearing implements Wire.Ear {
        @Override
        public void onSent() {
            sent = true;
        }

        @Override
        public void onHead(int statusCode, UpstreamHeaders headers) {
            status = statusCode;
            heardNs = System.nanoTime();
            guarded(() -> {
                quota(headers);
                decoder.head(statusCode, headers);
            });
        }

        @Override
        public void onData(Buffer piece) {
            UpstreamExchange.this.onData(piece);
        }

        @Override
        public void onEnded() {
            onBodyEnd();
        }

        @Override
        public void onBroken(FailureClass failure, String message) {
            cut(failure, message, accepted());
        }
    }

    private void quota(UpstreamHeaders headers) {
        QuotaFigures figures = provider.quota(headers, Instant.now());
        if (!figures.saysNothing()) {
            listener.onQuota(figures);
        }
    }

    private void onData(Buffer piece) {
        if (ended) {
            return;
        }
        heardNs = System.nanoTime();
        bytes += piece.length();
        if (!request.streamed() && bytes > limits.wholeBytesMax()) {
            giveUp("the answer is longer than " + limits.wholeBytesMax() + " bytes");
            return;
        }
        guarded(() -> decoder.data(piece, this::onFrame));
        if (!ended) {
            listener.onReadComplete();
        }
    }

    private void onBodyEnd() {
        if (!ended) {
            guarded(() -> decoder.end(this::onFrame));
        }
        if (!ended) {
            giveUp("the plugin gave no end to the answer");
        }
    }

    /**
     * The answer stopped without its regular end. What came decides first: an answer whose finish_reason is there is whole, and
     * an error status says more than the cut of its body.
     *
     * @param unfinished see {@link CallEnd#unfinished}
     */
    private void cut(FailureClass failure, String message, boolean unfinished) {
        if (!ended && status != 0) {
            guarded(() -> decoder.end(frame -> {
                if (status < 400 && last(frame) instanceof AnswerEvent.Failed) {
                    finish(failure, status, message, 0, unfinished);
                } else {
                    onFrame(frame);
                }
            }));
        }
        finish(failure, status, message, 0, unfinished);
    }

    /** A plugin may throw anything; the call still ends, at once. */
    private void guarded(Runnable decoding) {
        try {
            decoding.run();
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError brokenPlugin) {
            giveUp("the plugin failed: " + brokenPlugin);
        }
    }

    private void onFrame(AnswerFrame frame) {
        if (ended) {
            return;
        }
        AnswerEvent last = last(frame);
        boolean terminal = last != null && last.terminal();
        if (firstTokenNs == 0 && frame.bearsContent()) {
            firstTokenNs = System.nanoTime();
            ownDelayMs = timers.ownDelayMs();
            if (request.streamed() && times.idleMs() < times.firstTokenMs()) {
                timer.cancel(); // it sleeps until the first token's time, silence may run out before
                schedule();
            }
        }
        if (!terminal) {
            listener.onFrame(frame);
            return;
        }
        if (frame.events().size() > 1) {
            listener.onFrame(
                    new AnswerFrame(frame.events().subList(0, frame.events().size() - 1), frame.wire()));
        }
        if (last instanceof AnswerEvent.Failed failed) {
            finish(failed.failure(), failed.status(), failed.message(), failed.retryAfterMs(), false);
        } else {
            finish(null, status, null, 0, false);
        }
    }

    private static AnswerEvent last(AnswerFrame frame) {
        return frame.events().isEmpty()
                ? null
                : frame.events().get(frame.events().size() - 1);
    }

    private void fail(FailureClass failure, String message) {
        finish(failure, status, message, 0, false);
    }

    /** Ends a call whose answer is of no use here, though the upstream may be at it. */
    private void giveUp(String message) {
        finish(FailureClass.UPSTREAM_INTERNAL, status, message, 0, accepted());
    }

    /** Whether an answer had begun. */
    private boolean accepted() {
        return status >= 200 && status < 300;
    }

    /** Whether the upstream may have been making an answer. */
    private boolean atWork() {
        return sent && (status == 0 || accepted());
    }

    private void finish(FailureClass failure, int endStatus, String message, long retryAfterMs, boolean unfinished) {
        if (ended) {
            return;
        }
        ended = true;
        stopTimer();
        release(failure == null);
        listener.onEnd(end(failure, endStatus, message, retryAfterMs, unfinished));
    }

    private CallEnd end(FailureClass failure, int endStatus, String message, long retryAfterMs, boolean unfinished) {
        return new CallEnd(
                failure,
                endStatus,
                UpstreamWords.of(message, credential),
                retryAfterMs,
                sent,
                unfinished,
                firstTokenNs == 0 ? -1 : millis(firstTokenNs - startNs),
                ownDelayMs,
                millis(System.nanoTime() - startNs));
    }

    private void release(boolean complete) {
        if (wire != null) {
            wire.release(complete);
        }
    }

    /** The caller left or another attempt won: cuts the connection, tells nobody but whoever asks. */
    public CallEnd cancel(String why) {
        if (!ended) {
            ended = true;
            stopTimer();
            release(false);
        }
        return end(FailureClass.CANCELLED, status, why, 0, atWork());
    }

    /** Stops reading while the caller does not read. */
    public void pause() {
        if (!ended && status != 0 && pausedNs == 0) {
            pausedNs = System.nanoTime();
            wire.pause();
        }
    }

    /** Reads on. */
    public void resume() {
        if (!ended && pausedNs != 0) {
            pausedNs = 0;
            heardNs = System.nanoTime();
            wire.resume();
        }
    }

    /** One timer at a time: it sleeps until the next clock can run out. */
    private void schedule() {
        long now = System.nanoTime();
        long left = Math.min(dueNs(), silentNs()) - now;
        timer = timers.set(Math.max(1, left / NS_PER_MS + 1), this::onTimer);
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel();
        }
    }

    /** When the caller has heard nothing for so long that it is sent a keep-alive. */
    private long silentNs() {
        return Math.max(heardNs, keptAliveNs) + SILENCE_MS * NS_PER_MS;
    }

    private long dueNs() {
        if (!request.streamed()) {
            return startNs + times.totalMs() * NS_PER_MS; // also where a whole answer comes as a stream
        }
        if (firstTokenNs == 0) {
            return startNs + Math.min(times.firstTokenMs(), times.totalMs()) * NS_PER_MS;
        }
        long total = firstTokenNs + times.streamTotalMs() * NS_PER_MS;
        return Math.min(total, heardNs + times.idleMs() * NS_PER_MS);
    }

    private void onTimer() {
        if (ended) {
            return;
        }
        long now = System.nanoTime();
        if (pausedNs == 0 && now >= dueNs()) {
            if (!looked) { // a loop, or a whole node, that stood still hears its clocks before what came meanwhile
                looked = true;
                timer = timers.set(1, this::onTimer); // at the next tick, with a turn of the loop between
                return;
            }
            cut(
                    firstTokenNs == 0 && request.streamed()
                            ? FailureClass.TIMEOUT_FIRST_TOKEN
                            : FailureClass.TIMEOUT_TOTAL,
                    "no " + (firstTokenNs == 0 ? "answer" : "further event") + " in time",
                    atWork());
            return;
        }
        looked = false;
        if (now >= silentNs()) {
            keptAliveNs = now;
            listener.onSilence();
        }
        if (!ended) {
            schedule();
        }
    }

    private static double millis(long ns) {
        return ns / (double) NS_PER_MS;
    }
}
