package io.sluice.ops.redis;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.control.api.AuditEntry;
import io.sluice.control.store.ConfigBatch;
import io.sluice.control.store.ConfigLog;
import io.sluice.control.store.ConfigRow;
import io.sluice.control.store.ConfigWhole;
import io.sluice.control.store.StoreAwayException;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The sequence of configuration changes in Redis. One script takes a position, or finds it taken, and keeps four things in step: the
 * head, the last batches one by one, every object, and the audit log. All JSON passes through it as text that it never reads.
 *
 * <p>What a node takes over is confirmed by as many replicas as a write is: otherwise a node could serve a change that a failover
 * undoes.
 */
public final class RedisConfigLog implements ConfigLog {
    private static final String HEAD = "sluice:{config}:head";
    private static final String BATCHES = "sluice:{config}:batches";
    private static final String OBJECTS = "sluice:{config}:objects";
    private static final String AUDIT = "sluice:{config}:audit";
    private static final String SEEN = "sluice:{config}:seen";

    /** A node that was away for more changes takes everything; a day of edits in a large installation. */
    private static final int KEPT = 4_096;

    /** Bounds an answer: a batch has at most 256 commands. */
    private static final int PAGE = 64;

    private static final int CHUNK = 1_000;

    /** Everything is read in pieces, and again where a change came in between. */
    private static final int READS_MAX = 20;

    /** Checks before it writes: a script that fails half-way is not undone. */
    private static final String APPEND = """
            local last = tonumber(redis.call('HGET', KEYS[1], 'position') or '0')
            local at, id = tonumber(ARGV[1]), ARGV[2]
            if at <= last then
              local there = redis.call('HGET', KEYS[2], ARGV[1])
              if there and string.sub(there, 1, #id) == id then return 'DONE' end
              return 'BEHIND'
            end
            if at ~= last + 1 then return 'GAP' end
            redis.call('HSET', KEYS[1], 'position', ARGV[1], 'id', id, 'epoch', ARGV[3])
            redis.call('HSET', KEYS[2], ARGV[1], id .. ARGV[4])
            redis.call('HDEL', KEYS[2], string.format('%.0f', at - tonumber(ARGV[5])))
            local rows = tonumber(ARGV[6])
            for i = 1, rows do redis.call('HSET', KEYS[3], ARGV[5 + 2 * i], ARGV[6 + 2 * i]) end
            for i = 7 + 2 * rows, #ARGV do redis.call('RPUSH', KEYS[4], ARGV[i]) end
            return 'DONE'
            """;

    private final RedisLink link;

    /** @param link closed with the log */
    public RedisConfigLog(RedisLink link) {
        this.link = link;
    }

    @Override
    public Future<Void> claim(String secretCheck) {
        return link.batch(List.of(
                        Request.cmd(Command.HSETNX).arg(HEAD).arg("secret").arg(secretCheck),
                        Request.cmd(Command.HGET).arg(HEAD).arg("secret")))
                .compose(answers -> secretCheck.equals(answers.get(1).toString())
                        ? Future.succeededFuture()
                        : Future.failedFuture(
                                new StoreException("the shared configuration belongs to another server secret; give"
                                        + " every node the SLUICE_SECRET_KEY that the first one had")));
    }

    @Override
    public Future<Appended> append(ConfigBatch batch) {
        Request request = Request.cmd(Command.EVAL)
                .arg(APPEND)
                .arg(4)
                .arg(HEAD)
                .arg(BATCHES)
                .arg(OBJECTS)
                .arg(AUDIT)
                .arg(batch.position())
                .arg(batch.id())
                .arg(batch.epoch())
                .arg(json(batch))
                .arg(KEPT)
                .arg(batch.rows().size());
        for (ConfigRow row : batch.rows()) {
            request.arg(row.kind() + "|" + row.owner() + "|" + row.id()).arg(json(row));
        }
        for (AuditEntry entry : batch.audit()) {
            request.arg(json(entry));
        }
        return link.durable(request).compose(answer -> switch (answer.toString()) {
            case "DONE" -> Future.succeededFuture(Appended.DONE);
            case "BEHIND" -> Future.succeededFuture(Appended.BEHIND);
            default ->
                Future.failedFuture(new StoreAwayException(
                        "change " + batch.position()
                                + " does not follow what is stored: the shared configuration was lost or restored from an old backup,"
                                + " so nothing can be changed until an operator has chosen; see the runbook on restoring",
                        null));
        });
    }

    @Override
    public Future<Page> since(long position) {
        return head().compose(head -> {
            if (head.position() <= position) {
                String id = head.position() == position && position > 0 ? head.id() : null;
                return Future.succeededFuture(new Page(head.position(), id, List.of()));
            }
            Request some = Request.cmd(Command.HMGET).arg(BATCHES);
            for (long at = position; at <= Math.min(head.position(), position + PAGE); at++) {
                some.arg(at);
            }
            return link.send(some).compose(found -> {
                String there = found.get(0) == null ? null : found.get(0).toString();
                String id = there == null ? null : there.substring(0, there.indexOf('{'));
                return confirmed(new Page(head.position(), id, batches(found)));
            });
        });
    }

    /** The same once it can't be undone any more. */
    private <T> Future<T> confirmed(T read) {
        return link.settings().replicasMin() == 0
                ? Future.succeededFuture(read)
                : link.durable(Request.cmd(Command.SET).arg(SEEN).arg("1")).map(read);
    }

    /** From the second on, up to the first that is not kept. */
    private static List<ConfigBatch> batches(Response found) {
        List<ConfigBatch> batches = new ArrayList<>();
        for (int i = 1; i < found.size(); i++) {
            if (found.get(i) == null) {
                return batches;
            }
            String text = found.get(i).toString();
            batches.add(read(text.substring(text.indexOf('{')), ConfigBatch.class));
        }
        return batches;
    }

    @Override
    public Future<ConfigWhole> whole() {
        return whole(1);
    }

    private Future<ConfigWhole> whole(int attempt) {
        return head().compose(before -> rows("0", new ArrayList<>())
                .compose(rows -> audit(0, new ArrayList<>())
                        .compose(audit -> head().compose(after -> {
                            if (before.equals(after)) {
                                return confirmed(
                                        new ConfigWhole(after.position(), after.id(), after.epoch(), rows, audit));
                            }
                            return attempt < READS_MAX
                                    ? whole(attempt + 1)
                                    : Future.failedFuture(
                                            new StoreException("the shared configuration changes too fast to be read"));
                        }))));
    }

    private record Head(long position, String id, long epoch) {}

    private Future<Head> head() {
        return link.send(Request.cmd(Command.HMGET)
                        .arg(HEAD)
                        .arg("position")
                        .arg("id")
                        .arg("epoch"))
                .map(found -> found.get(0) == null
                        ? new Head(0, "", 0)
                        : new Head(
                                found.get(0).toLong(),
                                Objects.toString(found.get(1)),
                                found.get(2).toLong()));
    }

    private Future<List<ConfigRow>> rows(String cursor, List<ConfigRow> into) {
        return link.send(Request.cmd(Command.HSCAN)
                        .arg(OBJECTS)
                        .arg(cursor)
                        .arg("COUNT")
                        .arg(CHUNK))
                .compose(found -> {
                    Response pairs = found.get(1);
                    for (int i = 1; i < pairs.size(); i += 2) {
                        into.add(read(pairs.get(i).toString(), ConfigRow.class));
                    }
                    String next = found.get(0).toString();
                    return next.equals("0") ? Future.succeededFuture(distinct(into)) : rows(next, into);
                });
    }

    /** A scan may return an object twice. */
    private static List<ConfigRow> distinct(List<ConfigRow> rows) {
        return rows.stream().distinct().toList();
    }

    private Future<List<AuditEntry>> audit(long from, List<AuditEntry> into) {
        return link.send(Request.cmd(Command.LRANGE).arg(AUDIT).arg(from).arg(from + CHUNK - 1))
                .compose(found -> {
                    found.forEach(each -> into.add(read(each.toString(), AuditEntry.class)));
                    return found.size() < CHUNK ? Future.succeededFuture(into) : audit(from + CHUNK, into);
                });
    }

    @Override
    public Future<Void> close() {
        return link.close();
    }

    private static String json(Object value) {
        try {
            return StrictJson.MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException brokenRecord) {
            throw new IllegalStateException(brokenRecord);
        }
    }

    private static <T> T read(String json, Class<T> type) {
        try {
            return StrictJson.MAPPER.readValue(json, type);
        } catch (JsonProcessingException unreadable) {
            throw new StoreException(
                    "the shared configuration has something that this release can't read; start the newer one",
                    unreadable);
        }
    }
}
