package io.sluice.data.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.data.recall.KeptAnswer;
import io.sluice.tenants.decision.ContextRecord;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.routing.BudgetFacts;
import io.sluice.tenants.routing.Start;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the head of every answer of the data plane: route headers, CORS, retry advice, and the error body in OpenAI's shape
 * with all four members.
 */
public final class Reply {
    private static final Logger LOG = LoggerFactory.getLogger(Reply.class);

    private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("x-request-id");
    private static final CharSequence EPOCH = HttpHeaders.createOptimized("x-sluice-epoch");
    private static final CharSequence MODEL = HttpHeaders.createOptimized("x-sluice-model");
    private static final CharSequence STEP = HttpHeaders.createOptimized("x-sluice-step");
    private static final CharSequence ATTEMPTS = HttpHeaders.createOptimized("x-sluice-attempts");
    private static final CharSequence DESCENTS = HttpHeaders.createOptimized("x-sluice-descents");
    private static final CharSequence DEGRADED = HttpHeaders.createOptimized("x-sluice-degraded");
    private static final CharSequence DRILL = HttpHeaders.createOptimized("x-sluice-drill");
    private static final CharSequence OVERHEAD = HttpHeaders.createOptimized("x-sluice-overhead-us");
    private static final CharSequence COST = HttpHeaders.createOptimized("x-sluice-cost-usd");
    private static final CharSequence FAULT = HttpHeaders.createOptimized("x-sluice-fault");
    private static final CharSequence BAND = HttpHeaders.createOptimized("x-sluice-budget-band");
    private static final CharSequence CONTEXT = HttpHeaders.createOptimized("x-sluice-context");
    private static final CharSequence REPLAYED = HttpHeaders.createOptimized("idempotent-replayed");
    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

    /** What browsers may read besides the body. */
    private static final String EXPOSED = "x-request-id, x-sluice-model, x-sluice-step, x-sluice-attempts, "
            + "x-sluice-descents, x-sluice-degraded, x-sluice-drill, x-sluice-epoch, x-sluice-overhead-us, "
            + "x-sluice-cost-usd, x-sluice-fault, x-sluice-budget-band, x-sluice-context, x-sluice-cache, age, idempotent-replayed, "
            + "retry-after, retry-after-ms, x-should-retry, " + RateHeaders.NAMES;

    private Reply() {}

    /** Headers that every answer has. */
    public static void common(Arrival arrival) {
        MultiMap headers = arrival.http().response().headers();
        headers.set(REQUEST_ID, arrival.traceId());
        headers.set(EPOCH, Long.toString(arrival.snapshot().epoch()));
        cors(arrival);
    }

    /** Browsers of any origin may call: a key is sent by hand, never by the browser itself, so there is nothing to ride on. */
    public static void cors(Arrival arrival) {
        if (arrival.http().headers().contains(HttpHeaders.ORIGIN)) {
            MultiMap headers = arrival.http().response().headers();
            headers.set(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, "*");
            headers.set(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
        }
    }

    /** Names the drill in which the request takes part, whatever comes of it. {@code start} null means none. */
    static void drilled(Arrival arrival, Start start) {
        if (start != null && start.drill() != null && !start.passedOver()) {
            arrival.http().response().headers().set(DRILL, start.drill().id());
        }
    }

    /** Names the band of a request to which a spend cap applies, whatever comes of it. */
    static void banded(Arrival arrival, BudgetFacts budget) {
        if (budget != null) {
            arrival.http().response().headers().set(BAND, budget.band().name());
        }
    }

    /** Says how many turns of the conversation no model got to read, whatever comes of the request. */
    static void cut(Arrival arrival, ContextRecord context) {
        int dropped = context.cut().turnsDropped();
        int kept = context.input().turns().size() - dropped;
        arrival.http().response().headers().set(CONTEXT, "cut;dropped=" + dropped + ";kept=" + kept);
    }

    /** Headers that say how a plan went. */
    static void route(HttpServerResponse response, AnswerHead head) {
        MultiMap headers = response.headers();
        if (head.model() != null) {
            headers.set(MODEL, head.model());
        }
        if (head.step() != null) {
            headers.set(STEP, head.step());
        }
        headers.set(ATTEMPTS, Integer.toString(head.attempts()));
        headers.set(DESCENTS, Integer.toString(head.descents()));
        if (head.degraded() != null) {
            headers.set(DEGRADED, head.degraded());
        }
        headers.set(OVERHEAD, Long.toString(head.overheadUs()));
        if (head.dollars() != null) {
            headers.set(COST, head.dollars().toString());
        }
        if (head.faults() != null) {
            headers.set(FAULT, head.faults());
        }
    }

    /** Gives an answer once more: route and body are the first one's, attempts and cost this request's own. */
    static void replay(Planned planned, KeptAnswer answer) {
        Arrival arrival = planned.identified().arrival();
        HttpServerResponse response = arrival.http().response();
        boolean whole = answer.contentType().equals(AnswerForm.WHOLE.contentType());
        long overheadUs = (System.nanoTime() - arrival.startNs()) / 1_000;
        common(arrival);
        route(
                response,
                new AnswerHead(
                        answer.model(),
                        answer.step(),
                        0,
                        answer.descents(),
                        answer.degraded(),
                        overheadUs,
                        whole ? planned.inDollars(Money.ZERO) : null,
                        null,
                        false,
                        null));
        response.setStatusCode(answer.status());
        response.putHeader(REPLAYED, "true");
        response.putHeader(HttpHeaders.CONTENT_TYPE, answer.contentType());
        if (!whole) {
            response.putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
        }
        response.end(answer.body());
    }

    /** Ends the request with an error. {@code status} overrides the refusal's own where it is not 0. */
    public static void refuse(Arrival arrival, Stop stop, int status) {
        HttpServerResponse response = arrival.http().response();
        if (response.ended() || response.closed()) {
            return;
        }
        common(arrival);
        if (!ofStranger(stop.refusal()) && !response.headers().contains(ATTEMPTS)) {
            unrouted(response.headers(), arrival);
        }
        response.setStatusCode(status == 0 ? stop.refusal().status() : status);
        if (stop.retryAfterMs() > 0) {
            response.putHeader("retry-after", Long.toString(Math.max(1, (stop.retryAfterMs() + 999) / 1_000)));
            response.putHeader("retry-after-ms", Long.toString(stop.retryAfterMs()));
        }
        if (!stop.retryable()) {
            response.putHeader("x-should-retry", "false");
        }
        if (leavesBodyUnread(arrival, stop.refusal())) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        if (stop.refusal() == Refusal.INVALID_API_KEY) {
            response.putHeader("www-authenticate", "Bearer");
        }
        end(arrival, error(stop));
    }

    /** Whether nobody known asks; such callers are not told how long the check of their key took. */
    private static boolean ofStranger(Refusal refusal) {
        return refusal == Refusal.INVALID_API_KEY || refusal == Refusal.TOO_MANY_AUTH_FAILURES;
    }

    /** A request that was refused before it was routed called nothing and went down nothing. */
    private static void unrouted(MultiMap headers, Arrival arrival) {
        headers.set(ATTEMPTS, "0");
        headers.set(DESCENTS, "0");
        headers.set(OVERHEAD, Long.toString((System.nanoTime() - arrival.startNs()) / 1_000));
    }

    /** Whether the rest of a body stands where the next request would. */
    static boolean leavesBodyUnread(Arrival arrival, Refusal refusal) {
        return refusal == Refusal.BODY_TOO_LARGE
                || refusal == Refusal.REQUEST_TIMEOUT
                || refusal == Refusal.MALFORMED_HTTP
                || arrival.http().headers().contains(HttpHeaders.EXPECT);
    }

    /** Ends the request whose handling threw: logged once, told without detail; cut where the answer had begun. */
    public static void bug(Arrival arrival, Throwable bug) {
        LOG.atError().addKeyValue("trace", arrival.traceId()).setCause(bug).log("A request met a bug");
        if (arrival.http().response().headWritten()) {
            arrival.http().response().reset();
            return;
        }
        refuse(
                arrival,
                Stop.of(
                        Refusal.INTERNAL,
                        "something went wrong inside the gateway; tell its operators the x-request-id of this answer",
                        null),
                0);
    }

    /** Ends the request with a JSON body; without one for HEAD. */
    public static void end(Arrival arrival, Buffer body) {
        HttpServerResponse response = arrival.http().response();
        response.putHeader(HttpHeaders.CONTENT_TYPE, JSON);
        if (arrival.http().method().equals(HttpMethod.HEAD)) {
            response.end();
        } else {
            response.end(body);
        }
    }

    /** {@code {"error":{…}}} for a body or a stream's error event. */
    static Buffer error(Stop stop) {
        ObjectNode root = StrictJson.MAPPER.createObjectNode();
        ObjectNode error = root.putObject("error");
        error.put("message", stop.message());
        error.put("type", stop.refusal().type());
        error.put("param", stop.param());
        error.put("code", stop.refusal().code());
        return Buffer.buffer(root.toString());
    }
}
