package io.sluice.ops.redis;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.data.recall.Claim;
import io.sluice.data.recall.Found;
import io.sluice.data.recall.IdempotencyKey;
import io.sluice.data.recall.IdempotencyStore;
import io.sluice.data.recall.KeptAnswer;
import io.sluice.data.recall.RecallSettings;
import io.sluice.data.recall.StoreUnavailableException;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.recall.IdempotencyDecider;
import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.sluice.tenants.recall.IdempotencyDecider.Input;
import io.sluice.tenants.recall.IdempotencyDecider.Standing;
import io.sluice.tenants.recall.IdempotencyDecider.Verdict;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What became of named requests, for all nodes: one hash for each name, replaced only by whoever knows what is there. A name whose
 * request runs on a node that is alive is taken; nodes say every few seconds that they are. A node that says nothing for
 * {@link #ALIVE_MS} is dead, and how its requests ended is unknown: those that write are never sent again under their name.
 */
public final class RedisIdempotencyStore implements IdempotencyStore {
    /** A pause of a node's process or of its link may last so long without its requests being taken for lost. */
    static final long ALIVE_MS = 15_000;

    private static final long TELL_ALIVE_MS = 3_000;

    /** Whoever waits for a request of another node asks so often. */
    private static final long ASK_AGAIN_MS = 200;

    /** Each time somebody else was faster and something is there now: so often is a fault. */
    private static final int ATTEMPTS_MAX = 8;

    private static final String BEGIN = """
            local meta = redis.call('HGET', KEYS[1], 'meta')
            if meta then return {meta, redis.call('HGET', KEYS[1], 'version'), redis.call('HGET', KEYS[1], 'body')} end
            redis.call('HSET', KEYS[1], 'meta', ARGV[1], 'version', ARGV[2])
            redis.call('PEXPIRE', KEYS[1], ARGV[3])
            return {}
            """;

    private static final String REPLACE = """
            if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
            redis.call('DEL', KEYS[1])
            if ARGV[2] == '' then return 1 end
            redis.call('HSET', KEYS[1], 'meta', ARGV[2], 'version', ARGV[3])
            if #ARGV == 5 then redis.call('HSET', KEYS[1], 'body', ARGV[5]) end
            redis.call('PEXPIRE', KEYS[1], ARGV[4])
            return 1
            """;

    private final Vertx vertx;
    private final RedisLink link;
    private final RecallSettings settings;
    private final String node;
    private final String life = UUID.randomUUID().toString();
    private final Map<IdempotencyKey, String> versions = new ConcurrentHashMap<>();
    private final long timer;

    /**
     * @param link closed by whoever made it
     * @param node whose requests are begun here
     */
    public RedisIdempotencyStore(Vertx vertx, RedisLink link, RecallSettings settings, String node) {
        this.vertx = vertx;
        this.link = link;
        this.settings = settings;
        this.node = node;
        link.onConnected(run -> vertx.runOnContext(later -> tellAlive()));
        timer = vertx.setPeriodic(TELL_ALIVE_MS, each -> tellAlive());
    }

    /** Everything but the bytes of the answer. */
    private record Meta(
            String fingerprint,
            RequestKind kind,
            Standing standing,
            long atMs,
            String traceId,
            String node,
            String life,
            int status,
            String contentType,
            String model,
            String step,
            int descents,
            String degraded) {
        KeptAnswer answer(Response body) {
            Buffer bytes = body == null ? Buffer.buffer() : body.toBuffer();
            return new KeptAnswer(status, contentType, bytes, model, step, descents, degraded, traceId);
        }
    }

    private void tellAlive() {
        link.send(
                Request.cmd(Command.SET).arg(aliveKey(node)).arg(life).arg("PX").arg(ALIVE_MS));
    }

    private static String aliveKey(String node) {
        return "sluice:alive:" + node;
    }

    @Override
    public Future<Found> begin(Claim claim) {
        return begin(claim, 1).recover(RedisIdempotencyStore::unavailable);
    }

    private Future<Found> begin(Claim claim, int attempt) {
        if (attempt > ATTEMPTS_MAX) {
            return Future.failedFuture("a name changes too fast");
        }
        String version = UUID.randomUUID().toString();
        Meta mine = running(claim, claim.kind());
        return link.durable(Request.cmd(Command.EVAL)
                        .arg(BEGIN)
                        .arg(1)
                        .arg(key(claim.key()))
                        .arg(json(mine))
                        .arg(version)
                        .arg(settings.ttlMs()))
                .compose(there -> {
                    if (there.size() == 0) {
                        versions.put(claim.key(), version);
                        Input input = new Input(Standing.ABSENT, false, claim.kind(), true);
                        return Future.succeededFuture(new Found(input, IdempotencyDecider.decide(input), null));
                    }
                    Meta meta = read(there.get(0).toString());
                    return standing(meta).compose(standing -> found(claim, meta, standing, there, version, attempt));
                });
    }

    private Future<Found> found(
            Claim claim, Meta meta, Standing standing, Response there, String version, int attempt) {
        boolean expired = meta.atMs() + settings.ttlMs() <= claim.atMs();
        Input input = expired
                ? new Input(Standing.ABSENT, false, claim.kind(), true)
                : new Input(
                        standing,
                        meta.fingerprint().equals(claim.fingerprint()),
                        meta.kind().strictest(claim.kind()),
                        true);
        Verdict verdict = IdempotencyDecider.decide(input);
        if (!verdict.begins()) {
            KeptAnswer answer = verdict == Verdict.REPLAY ? meta.answer(there.get(2)) : null;
            return Future.succeededFuture(new Found(input, verdict, answer));
        }
        return replace(claim.key(), there.get(1).toString(), running(claim, input.kind()), version, null)
                .compose(replaced -> {
                    if (!replaced) {
                        return begin(claim, attempt + 1);
                    }
                    versions.put(claim.key(), version);
                    return Future.succeededFuture(new Found(input, verdict, null));
                });
    }

    /** This node's own requests that run are known to whoever asks, so one that is not is lost. */
    private Future<Standing> standing(Meta meta) {
        if (meta.standing() != Standing.RUNNING) {
            return Future.succeededFuture(meta.standing());
        }
        if (meta.node().equals(node)) {
            return Future.succeededFuture(Standing.UNKNOWN);
        }
        return link.send(Request.cmd(Command.GET).arg(aliveKey(meta.node())))
                .map(alive ->
                        alive != null && alive.toString().equals(meta.life()) ? Standing.RUNNING : Standing.UNKNOWN);
    }

    private Meta running(Claim claim, RequestKind kind) {
        return new Meta(
                claim.fingerprint(),
                kind,
                Standing.RUNNING,
                claim.atMs(),
                claim.traceId(),
                node,
                life,
                0,
                null,
                null,
                null,
                0,
                null);
    }

    private Meta ended(Claim claim, Standing standing, KeptAnswer answer) {
        return answer == null
                ? new Meta(
                        claim.fingerprint(),
                        claim.kind(),
                        standing,
                        claim.atMs(),
                        claim.traceId(),
                        node,
                        life,
                        0,
                        null,
                        null,
                        null,
                        0,
                        null)
                : new Meta(
                        claim.fingerprint(),
                        claim.kind(),
                        standing,
                        claim.atMs(),
                        answer.traceId(),
                        node,
                        life,
                        answer.status(),
                        answer.contentType(),
                        answer.model(),
                        answer.step(),
                        answer.descents(),
                        answer.degraded());
    }

    /** @param next null means that the name is free; @return false where somebody else has replaced it */
    private Future<Boolean> replace(IdempotencyKey key, String before, Meta next, String version, Buffer body) {
        Request request = Request.cmd(Command.EVAL)
                .arg(REPLACE)
                .arg(1)
                .arg(key(key))
                .arg(before)
                .arg(next == null ? "" : json(next))
                .arg(version)
                .arg(settings.ttlMs());
        if (body != null) {
            request.arg(body);
        }
        return link.durable(request).map(done -> done.toInteger() == 1);
    }

    @Override
    public Future<Void> end(Claim claim, Fate fate, KeptAnswer answer) {
        String version = versions.remove(claim.key());
        if (version == null) {
            return Future.failedFuture(new StoreUnavailableException("the request was not begun here", null));
        }
        Meta next = switch (fate) {
            case FREE -> null;
            case KEEP -> ended(claim, Standing.KEPT, answer);
            case KEEP_NOTE -> ended(claim, Standing.TOO_LARGE, null);
            case MARK_UNKNOWN -> ended(claim, Standing.UNKNOWN, null);
        };
        return replace(claim.key(), version, next, version, answer == null ? null : answer.body())
                .recover(RedisIdempotencyStore::unavailable)
                .compose(replaced -> replaced
                        ? Future.succeededFuture()
                        : Future.failedFuture(new StoreUnavailableException(
                                "the node was taken for dead, and the record of the request is another's now", null)));
    }

    @Override
    public Future<Void> changed(Claim claim) {
        return vertx.timer(ASK_AGAIN_MS, TimeUnit.MILLISECONDS).mapEmpty();
    }

    @Override
    public Future<Void> close() {
        vertx.cancelTimer(timer);
        return link.send(Request.cmd(Command.DEL).arg(aliveKey(node)))
                .<Void>mapEmpty()
                .otherwiseEmpty();
    }

    private static <T> Future<T> unavailable(Throwable cause) {
        return Future.failedFuture(
                new StoreUnavailableException("the store of idempotency keys failed: " + cause.getMessage(), cause));
    }

    /** Parts have no character in common with what separates them but the last, which is the caller's own text. */
    private static String key(IdempotencyKey key) {
        return "sluice:{" + key.tenant().value() + "}:named:" + key.app() + "|" + key.route() + "|" + key.text();
    }

    private static String json(Meta meta) {
        try {
            return StrictJson.MAPPER.writeValueAsString(meta);
        } catch (JsonProcessingException brokenRecord) {
            throw new IllegalStateException(brokenRecord);
        }
    }

    private static Meta read(String json) {
        try {
            return StrictJson.MAPPER.readValue(json, Meta.class);
        } catch (JsonProcessingException unreadable) {
            throw new StoreUnavailableException("a record of a newer release can't be read", unreadable);
        }
    }
}
