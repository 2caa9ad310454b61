package io.sluice.ops.redis;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to the Redis that is primary now, kept for as long as the process lives: it is made again when it breaks, when Redis
 * stops answering, and when the primary became a replica. Commands are pipelined in the order in which they are given.
 *
 * <ol>
 *   <li>A command's future ends within {@link RedisSettings#answerMax} and a little, whatever happens.
 *   <li>While there is no connection every command fails at once: nothing waits for Redis to come back.
 *   <li>A failed command may have been applied, unless it failed with Redis's own error.
 *   <li>After a new connection listeners hear which Redis it is before anyone's command is sent to it.
 * </ol>
 *
 * <p>Thread-safe; futures complete on the caller's context where it has one.
 */
public final class RedisLink {
    private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);

    /** Redis is looked for so often while it is away. */
    private static final long RETRY_MS = 250;

    /** A stuck Redis is noticed although nobody asks it anything. */
    private static final long PING_MS = 1_000;

    private static final int CONNECT_MS_MAX = 1_000;

    /** A replica that is well confirms within a millisecond; the caller is told to try again otherwise. */
    private static final long WAIT_MS = 100;

    /** More commands than that on the way mean that Redis doesn't keep up; further ones fail at once. */
    private static final int WAITING_MAX = 16_384;

    private final Vertx vertx;
    private final Context context;
    private final RedisSettings settings;
    private final String purpose;
    private final List<RedisOptions> endpoints = new ArrayList<>();
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final Promise<Void> first = Promise.promise();
    private volatile RedisConnection connection;
    private Redis client;
    private volatile String runId;
    private volatile boolean closed;
    private boolean told;
    private long pings;

    private RedisLink(Vertx vertx, RedisSettings settings, String purpose) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.settings = settings;
        this.purpose = purpose;
        for (String endpoint : settings.endpoints()) {
            RedisOptions options = new RedisOptions()
                    .setConnectionString(endpoint)
                    .setMaxWaitingHandlers(WAITING_MAX)
                    .setPoolCleanerInterval(-1)
                    .setNetClientOptions(new NetClientOptions()
                            .setConnectTimeout(CONNECT_MS_MAX)
                            .setTcpNoDelay(true)
                            .setTcpKeepAlive(true)
                            .setHostnameVerificationAlgorithm("HTTPS"));
            settings.user().ifPresent(options::setUser);
            settings.password().ifPresent(password -> options.setPassword(password.reveal()));
            endpoints.add(options);
        }
    }

    /**
     * Opens it; what comes back keeps trying for ever.
     *
     * @param purpose for people: what is kept there
     */
    public static RedisLink open(Vertx vertx, RedisSettings settings, String purpose) {
        RedisLink link = new RedisLink(vertx, settings, purpose);
        link.context.runOnContext(here -> {
            link.pings = vertx.setPeriodic(PING_MS, timer -> link.ping());
            link.seek(0);
        });
        return link;
    }

    /** Whether there is a connection now. */
    public boolean up() {
        return connection != null;
    }

    /** Completes when it is connected for the first time, or fails after {@code max}; it goes on trying in any case. */
    public Future<Void> first(Duration max) {
        return first.future().timeout(max.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Which run of which Redis this is connected to; null while it is connected to none. Changes at a restart and at a failover. */
    public String runId() {
        return runId;
    }

    public RedisSettings settings() {
        return settings;
    }

    /** {@code listener} hears the run id of each new connection, on a thread of this link; at once where there is one. */
    public void onConnected(Consumer<String> listener) {
        context.runOnContext(here -> {
            listeners.add(listener);
            if (runId != null) {
                listener.accept(runId);
            }
        });
    }

    /** Sends one command. */
    public Future<Response> send(Request request) {
        RedisConnection now = connection;
        return now == null ? away() : watched(now, now.send(request));
    }

    /** Sends commands one after the other, with nothing in between; fails where one of them does. */
    public Future<List<Response>> batch(List<Request> requests) {
        RedisConnection now = connection;
        return now == null ? away() : watched(now, now.batch(requests));
    }

    /**
     * Sends one command and answers when as many replicas have it as the settings want. Where they don't confirm in time it fails
     * although the primary has it: whoever asked sends it again.
     */
    public Future<Response> durable(Request request) {
        if (settings.replicasMin() == 0) {
            return send(request);
        }
        Request wait = Request.cmd(Command.WAIT).arg(settings.replicasMin()).arg(WAIT_MS);
        return batch(List.of(request, wait)).compose(answers -> {
            int confirmed = answers.get(1).toInteger();
            return confirmed >= settings.replicasMin()
                    ? Future.succeededFuture(answers.get(0))
                    : Future.failedFuture(new RedisAwayException(
                            confirmed + " of " + settings.replicasMin() + " replicas confirmed a write of " + purpose));
        });
    }

    /** Ends the connection and the attempts to make one. */
    public Future<Void> close() {
        closed = true;
        Promise<Void> done = Promise.promise();
        context.runOnContext(here -> {
            vertx.cancelTimer(pings);
            Redis last = client;
            drop(connection, null);
            (last == null ? Future.<Void>succeededFuture() : last.close()).onComplete(done);
        });
        return done.future();
    }

    private <T> Future<T> away() {
        return Future.failedFuture(new RedisAwayException("the Redis of " + purpose + " can't be reached"));
    }

    private <T> Future<T> watched(RedisConnection used, Future<T> answer) {
        return answer.timeout(settings.answerMax().toMillis(), TimeUnit.MILLISECONDS)
                .recover(failure -> {
                    if (failure instanceof ErrorType error) {
                        if (error.is("READONLY") || error.is("LOADING") || error.is("MASTERDOWN")) {
                            context.runOnContext(here -> drop(used, error));
                        }
                        return Future.failedFuture(failure);
                    }
                    context.runOnContext(here -> drop(used, failure));
                    return Future.failedFuture(
                            new RedisAwayException("the Redis of " + purpose + " did not answer", failure));
                });
    }

    private void ping() {
        RedisConnection now = connection;
        if (now != null) {
            send(Request.cmd(Command.PING));
        }
    }

    /**
     * Asks one endpoint after the other whether it is the primary. Each connection has a client of its own: a client keeps connections that are
     * closed, and would give one out again on which nothing arrives any more.
     */
    private void seek(int index) {
        if (closed || connection != null) {
            return;
        }
        if (index == endpoints.size()) {
            vertx.setTimer(RETRY_MS, again -> seek(0));
            return;
        }
        String endpoint = settings.endpoints().get(index);
        Redis made = Redis.createClient(vertx, endpoints.get(index));
        made.connect()
                .timeout(CONNECT_MS_MAX * 2L, TimeUnit.MILLISECONDS)
                .compose(opened -> identify(made, opened))
                .onComplete(found -> context.runOnContext(here -> {
                    if (found.succeeded()) {
                        adopt(found.result(), endpoint);
                    } else {
                        made.close();
                        tellOnce(endpoint, found.cause());
                        seek(index + 1);
                    }
                }));
    }

    private record Primary(Redis client, RedisConnection connection, String runId) {}

    private Future<Primary> identify(Redis made, RedisConnection opened) {
        return opened.send(Request.cmd(Command.INFO))
                .timeout(settings.answerMax().toMillis(), TimeUnit.MILLISECONDS)
                .compose(answer -> {
                    String info = answer.toString();
                    return "master".equals(field(info, "role")) && "0".equals(field(info, "loading"))
                            ? Future.succeededFuture(new Primary(made, opened, field(info, "run_id")))
                            : Future.failedFuture("is not a primary that is ready");
                });
    }

    static String field(String info, String name) {
        String start = name + ":";
        return info.lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst()
                .orElse("");
    }

    private void adopt(Primary found, String endpoint) {
        RedisConnection made = found.connection();
        if (closed) {
            found.client().close();
            return;
        }
        made.exceptionHandler(broken -> context.runOnContext(here -> drop(made, broken)));
        made.endHandler(ended -> context.runOnContext(here -> drop(made, null)));
        LOG.info("{} is kept by Redis at {}, run {}", purpose, endpoint, found.runId());
        told = false;
        client = found.client();
        runId = found.runId();
        listeners.forEach(listener -> listener.accept(found.runId()));
        connection = made;
        first.tryComplete();
    }

    private void drop(RedisConnection broken, Throwable cause) {
        if (broken == null || connection != broken) {
            return;
        }
        connection = null;
        runId = null;
        client.close();
        client = null;
        if (!closed) {
            LOG.warn("the connection to the Redis of {} is lost; looking for the primary", purpose, cause);
            seek(0);
        }
    }

    /** Once for each time that it is away, and not four times a second. */
    private void tellOnce(String endpoint, Throwable cause) {
        if (!told) {
            told = true;
            LOG.warn("the Redis of {} can't be reached at {}: {}", purpose, endpoint, cause.toString());
        }
    }
}
