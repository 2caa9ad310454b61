package io.sluice.ops.redis;

import io.sluice.control.spend.SpendLog;
import io.sluice.control.spend.SpendLogEntry;
import io.sluice.control.spend.SpendLogEntry.Began;
import io.sluice.control.spend.SpendLogEntry.Shipped;
import io.sluice.control.spend.SpendLogForm;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The sequence of what happens to spend as a stream in Redis. Scripts number the entries without a gap and keep the place of each journal
 * in step with them. Entries are bytes that no script reads.
 *
 * <p>What a node takes over is confirmed by as many replicas as a write is: otherwise a node could show money that a failover undoes.
 */
public final class RedisSpendLog implements SpendLog {
    private static final String LOG = "sluice:{spend}:log";
    private static final String PLACES = "sluice:{spend}:places";
    private static final String STATE = "sluice:{spend}:state";

    /**
     * What the log may take of Redis's memory. A shipment of a node with 20 requests a second has some 2 KiB, twice a second: three such
     * nodes may be away for an hour and a half before they need a copy of another node.
     */
    private static final long BYTES_MAX = 64L << 20;

    /** Bounds an answer: a shipment has at most some 2 MiB, and mostly far below 64 KiB. */
    private static final int PAGE = 16;

    /**
     * Adds an entry. The oldest ones go where the bytes become too many, some at a time, so that no call takes long; the newest stays,
     * since copies compare it with theirs.
     */
    private static final String ADD = """
            local function add(id, entry, most)
              local last = redis.call('HINCRBY', KEYS[3], 'last', 1)
              redis.call('XADD', KEYS[1], string.format('%.0f', last) .. '-0', 'i', id, 'e', entry)
              local bytes = redis.call('HINCRBY', KEYS[3], 'bytes', #entry)
              for i = 1, 64 do
                if bytes <= most or redis.call('XLEN', KEYS[1]) <= 1 then return end
                local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
                redis.call('XDEL', KEYS[1], oldest[1])
                bytes = redis.call('HINCRBY', KEYS[3], 'bytes', -#oldest[2][4])
              end
            end
            """;

    private static final String APPEND = ADD + """
            add(ARGV[1], ARGV[2], tonumber(ARGV[3]))
            return 'DONE'
            """;

    /** Numbers are compared as text: a script's own numbers have 53 bits. A write in any case, so that replicas are asked about it. */
    private static final String SHIP = ADD + """
            local place = redis.call('HGET', KEYS[2], ARGV[4]) or '0'
            redis.call('HSET', KEYS[3], 'seen', '1')
            if place ~= ARGV[5] then return place end
            add(ARGV[1], ARGV[2], tonumber(ARGV[3]))
            redis.call('HSET', KEYS[2], ARGV[4], ARGV[6])
            return ARGV[6]
            """;

    private static final String BEGIN = ADD + """
            if redis.call('HEXISTS', KEYS[3], 'last') == 1 then return 'THERE' end
            add(ARGV[1], ARGV[2], tonumber(ARGV[3]))
            for i = 4, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
            return 'DONE'
            """;

    private final RedisLink link;
    private final long bytesMax;

    /** What was shipped last, by the id that it got: most of what a node takes over is its own, and reading costs as much as writing. */
    private volatile Own own;

    private record Own(String id, Shipped entry) {}

    /** @param link closed with the log */
    public RedisSpendLog(RedisLink link) {
        this(link, BYTES_MAX);
    }

    RedisSpendLog(RedisLink link, long bytesMax) {
        this.link = link;
        this.bytesMax = bytesMax;
    }

    private static String journal(String node, long journal) {
        return journal + "|" + node;
    }

    private Request script(String script, String id, SpendLogEntry entry) {
        return Request.cmd(Command.EVAL)
                .arg(script)
                .arg(3)
                .arg(LOG)
                .arg(PLACES)
                .arg(STATE)
                .arg(id)
                .arg(Buffer.buffer(SpendLogForm.write(entry)))
                .arg(bytesMax);
    }

    @Override
    public Future<Long> place(String node, long journal) {
        return link.send(Request.cmd(Command.HGET).arg(PLACES).arg(journal(node, journal)))
                .compose(found -> confirmed(found == null ? 0L : found.toLong()));
    }

    @Override
    public Future<Long> ship(Shipped entry) {
        SpendShipped shipped = entry.shipped();
        if (shipped.upToSeq() <= shipped.afterSeq()) {
            return place(shipped.node(), shipped.journal());
        }
        String id = UUID.randomUUID().toString();
        own = new Own(id, entry);
        return link.durable(script(SHIP, id, entry)
                        .arg(journal(shipped.node(), shipped.journal()))
                        .arg(shipped.afterSeq())
                        .arg(shipped.upToSeq()))
                .map(Response::toLong);
    }

    @Override
    public Future<Void> append(SpendLogEntry entry) {
        return link.durable(script(APPEND, UUID.randomUUID().toString(), entry)).mapEmpty();
    }

    @Override
    public Future<Void> begin(String id, Began began, List<Place> places) {
        Request request = script(BEGIN, id, began);
        for (Place each : places) {
            request.arg(journal(each.node(), each.journal())).arg(each.seq());
        }
        return link.durable(request).mapEmpty();
    }

    @Override
    public Future<Page> since(long position) {
        Request last = Request.cmd(Command.HGET).arg(STATE).arg("last");
        Request there = Request.cmd(Command.XRANGE)
                .arg(LOG)
                .arg(position + "-0")
                .arg(position + "-0")
                .arg("COUNT")
                .arg(1);
        Request next = Request.cmd(Command.XRANGE)
                .arg(LOG)
                .arg((position + 1) + "-0")
                .arg("+")
                .arg("COUNT")
                .arg(PAGE);
        return link.batch(List.of(last, there, next)).compose(found -> {
            Page page = new Page(
                    found.get(0) == null ? 0 : found.get(0).toLong(),
                    position == 0 || found.get(1).size() == 0
                            ? null
                            : found.get(1).get(0).get(1).get(1).toString(),
                    entries(found.get(2)));
            return page.next().isEmpty() ? Future.succeededFuture(page) : confirmed(page);
        });
    }

    private List<Logged> entries(Response found) {
        List<Logged> entries = new ArrayList<>();
        for (Response each : found) {
            String number = each.get(0).toString();
            Response fields = each.get(1);
            String id = fields.get(1).toString();
            entries.add(
                    new Logged(Long.parseLong(number.substring(0, number.indexOf('-'))), id, entry(id, fields.get(3))));
        }
        return entries;
    }

    private SpendLogEntry entry(String id, Response bytes) {
        Own last = own;
        return last != null && last.id().equals(id)
                ? last.entry()
                : SpendLogForm.read(bytes.toBuffer().getBytes());
    }

    /** The same once it can't be undone any more. */
    private <T> Future<T> confirmed(T read) {
        return link.settings().replicasMin() == 0
                ? Future.succeededFuture(read)
                : link.durable(Request.cmd(Command.HSET).arg(STATE).arg("seen").arg("1"))
                        .map(read);
    }

    @Override
    public Future<Void> close() {
        return link.close();
    }
}
