package io.sluice.data.limit;

import io.sluice.data.limit.RateAuthority.Ask;
import io.sluice.data.limit.RateAuthority.Share;
import io.sluice.tenants.limit.LimitKey;
import io.sluice.tenants.limit.LimitKind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * One node's shares of limits that hold for a cluster. A share grows when a request does not fit into it, by a part of the limit, and
 * shrinks when it is not used: first this node stops using what it will give back, a tick later the authority may give it to others. So
 * all nodes together never admit more than the limit in any 60 seconds.
 *
 * <p>While the authority is away a node goes on with its last share, or an equal part where that is more: then all nodes together may
 * admit up to twice the limit. The parts are as many as there were nodes when the authority answered last, or more: who is cut off from
 * the authority is mostly cut off from the other nodes, too, and they are still there. Thread-safe; reads take no lock.
 */
public final class SharedRates implements RateShares {
    /** Enough for a second of most limits, and little enough that the last parts are divided finely. */
    private static final int PARTS = 8;

    /** Whoever was told that nothing is left need not ask again at once. */
    private static final long ASK_EVERY_MS = 100;

    /** The authority hears of each share three times before it forgets it. */
    private static final long TELL_EVERY_MS = 25_000;

    /** Callers of other nodes hear of a small change in what is left so much later. */
    private static final long SMALL_CHANGE_MS = 5_000;

    private record Id(LimitKey key, LimitKind kind) {}

    /** One limit. Fields are written under its lock and read without. */
    private static final class Owned {
        private final Id id;
        private final String name;
        private volatile int limit;
        private volatile int share;
        private volatile long elsewhere;
        private long toldMs = Long.MIN_VALUE / 2;
        private long toldUsed;
        private long emptyUntilMs = Long.MIN_VALUE / 2;
        private boolean lowered;
        private Future<Boolean> asking;
        private volatile boolean forgotten;
        /** Of those who came while it was asked: what they need together, and their answer. */
        private long waitingNeed;

        private Promise<Boolean> waiting;

        Owned(Id id) {
            this.id = id;
            LimitKey key = id.key();
            name = key.tenant().value() + "|" + key.level() + "|" + id.kind() + "|" + key.app() + "|" + key.subject();
        }
    }

    private final RateAuthority authority;
    private final LimitCounters counters;
    private final IntSupplier nodes;
    private final LongSupplier clockMs;
    private final Map<Id, Owned> parts = new ConcurrentHashMap<>();
    private volatile boolean away;
    private volatile int nodesHeard = 1;

    /**
     * Without any share.
     *
     * @param counters of this node: what it uses
     * @param nodes how many there are now
     * @param clockMs milliseconds of a clock that never goes back
     */
    public SharedRates(RateAuthority authority, LimitCounters counters, IntSupplier nodes, LongSupplier clockMs) {
        this.authority = authority;
        this.counters = counters;
        this.nodes = nodes;
        this.clockMs = clockMs;
    }

    @Override
    public Part of(LimitKey key, LimitKind kind) {
        return new Found(new Id(key, kind));
    }

    /** Looks its limit up only while this node has no part of it. */
    private final class Found implements Part {
        private final Id id;
        private volatile Owned last;

        Found(Id id) {
            this.id = id;
        }

        @Override
        public int share(int limit) {
            Owned part = owned();
            return part == null ? 0 : Math.min(part.share, limit);
        }

        @Override
        public long elsewhere() {
            Owned part = owned();
            return part == null ? 0 : part.elsewhere;
        }

        private Owned owned() {
            Owned part = last;
            if (part == null || part.forgotten) {
                part = parts.get(id);
                last = part;
            }
            return part;
        }
    }

    /** Nobody waits for an account's quota to be divided, so each node has an equal part. */
    @Override
    public int ofAccount(String key, LimitKind kind, int limit) {
        return equalPart(limit);
    }

    private int equalPart(int limit) {
        int known = Math.max(1, nodes.getAsInt());
        return Math.max(1, limit / (away ? Math.max(known, nodesHeard) : known));
    }

    private Future<List<Share>> settle(List<Ask> asks) {
        return authority
                .settle(asks)
                .onSuccess(answers -> {
                    nodesHeard = nodes.getAsInt();
                    away = false;
                })
                .onFailure(silence -> away = true);
    }

    @Override
    public Future<Boolean> draw(List<Need> needs) {
        List<Future<Boolean>> asked = new ArrayList<>();
        for (Need need : needs) {
            asked.add(drawOne(need));
        }
        return Future.join(asked)
                .transform(done ->
                        Future.succeededFuture(asked.stream().allMatch(each -> each.succeeded() && each.result())));
    }

    private Future<Boolean> drawOne(Need need) {
        Owned part = parts.computeIfAbsent(new Id(need.key(), need.kind()), Owned::new);
        synchronized (part) {
            if (part.forgotten) {
                parts.remove(part.id, part);
                return drawOne(need); // it was forgotten at this moment
            }
            if (part.asking != null) {
                return await(part, need);
            }
            if (clockMs.getAsLong() < part.emptyUntilMs) {
                return Future.succeededFuture(false);
            }
            return ask(part, need);
        }
    }

    /** The answer that is on its way is for one request; those who wait meanwhile are asked for together. */
    private static Future<Boolean> await(Owned part, Need need) {
        if (part.waiting == null) {
            part.waiting = Promise.promise();
        }
        part.waitingNeed += need.need();
        return part.waiting.future();
    }

    private Future<Boolean> ask(Owned part, Need need) {
        part.limit = need.limit();
        part.lowered = false;
        long want = Math.min(need.limit(), need.used() + Math.max(need.need(), chunk(need.limit())));
        Ask ask = new Ask(part.name, need.limit(), need.used(), Math.max(want, part.share));
        Future<Boolean> answer = settle(List.of(ask)).transform(settled -> {
            boolean useful = settled.succeeded() ? heard(part, settled.result().get(0), need) : alone(part, need);
            return Future.succeededFuture(useful);
        });
        part.asking = answer.isComplete() ? null : answer;
        return answer.onSuccess(useful -> next(part, need, useful));
    }

    /** Asks for those who waited; where not all of what was asked for was left, there is nothing more to ask for. */
    private void next(Owned part, Need before, boolean useful) {
        Promise<Boolean> waiting;
        Future<Boolean> answer;
        synchronized (part) {
            waiting = part.waiting;
            if (waiting == null || part.asking != null) {
                return;
            }
            // What the one before them was given is taken, or will be at once.
            long used = Math.min(part.share, before.used() + before.need());
            Need need = new Need(part.id.key(), part.id.kind(), part.limit, used, part.waitingNeed);
            part.waiting = null;
            part.waitingNeed = 0;
            boolean more = clockMs.getAsLong() >= part.emptyUntilMs;
            answer = more ? ask(part, need) : Future.succeededFuture(useful);
        }
        answer.onComplete(waiting);
    }

    private static long chunk(int limit) {
        return Math.max(1, limit / PARTS);
    }

    private boolean heard(Owned part, Share answer, Need need) {
        synchronized (part) {
            part.asking = null;
            long nowMs = clockMs.getAsLong();
            take(part, answer, need.used(), nowMs);
            return useful(part, need, nowMs);
        }
    }

    private static void take(Owned part, Share answer, long used, long nowMs) {
        part.share = (int) Math.min(Integer.MAX_VALUE, answer.share());
        part.elsewhere = answer.elsewhere();
        part.toldMs = nowMs;
        part.toldUsed = used;
    }

    /** The authority did not answer. */
    private boolean alone(Owned part, Need need) {
        synchronized (part) {
            part.asking = null;
            part.share = Math.max(part.share, equalPart(need.limit()));
            return useful(part, need, clockMs.getAsLong());
        }
    }

    /** Whether one of those who need something may find it now; and where not all of them do, nobody asks for a moment. */
    private static boolean useful(Owned part, Need need, long nowMs) {
        boolean enough = part.share >= need.used() + need.need();
        part.emptyUntilMs = enough ? Long.MIN_VALUE / 2 : nowMs + ASK_EVERY_MS;
        return part.share > need.used();
    }

    @Override
    public Future<Void> tick() {
        List<Owned> told = new ArrayList<>();
        List<Ask> asks = new ArrayList<>();
        long nowMs = clockMs.getAsLong();
        parts.values().removeIf(part -> forgets(part, nowMs));
        for (Owned part : parts.values()) {
            synchronized (part) {
                Ask ask = part.asking == null ? ask(part, used(part, nowMs), nowMs) : null;
                if (ask != null) {
                    told.add(part);
                    asks.add(ask);
                }
            }
        }
        return asks.isEmpty()
                ? Future.succeededFuture()
                : settle(asks).map(answers -> settled(told, asks, answers)).otherwiseEmpty();
    }

    private boolean forgets(Owned part, long nowMs) {
        synchronized (part) {
            part.forgotten = part.share == 0
                    && !part.lowered
                    && part.asking == null
                    && nowMs >= part.emptyUntilMs
                    && used(part, nowMs) == 0;
            return part.forgotten;
        }
    }

    /** What there is to say of a limit now; null where nothing is. */
    private static Ask ask(Owned part, long used, long nowMs) {
        if (part.lowered) {
            part.lowered = false;
            return new Ask(part.name, part.limit, used, Math.max(used, part.share));
        }
        long chunk = chunk(part.limit);
        long kept = used == 0 ? 0 : used + chunk;
        if (part.share > kept + (used == 0 ? 0 : chunk)) {
            part.share = (int) kept;
            part.lowered = true;
            return null;
        }
        boolean changed = Math.abs(used - part.toldUsed) >= chunk
                || (used != part.toldUsed && nowMs - part.toldMs >= SMALL_CHANGE_MS);
        return part.share > 0 && (changed || nowMs - part.toldMs >= TELL_EVERY_MS)
                ? new Ask(part.name, part.limit, used, Math.max(used, part.share))
                : null;
    }

    private Void settled(List<Owned> told, List<Ask> asks, List<Share> answers) {
        long nowMs = clockMs.getAsLong();
        for (int i = 0; i < told.size(); i++) {
            Owned part = told.get(i);
            synchronized (part) {
                // A draw that came meanwhile asked for more than this did.
                if (part.asking == null && !part.lowered) {
                    take(part, answers.get(i), asks.get(i).held(), nowMs);
                }
            }
        }
        return null;
    }

    private long used(Owned part, long nowMs) {
        LimitCounter counter = counters.ifThere(part.id.key());
        if (counter == null) {
            return 0;
        }
        return switch (part.id.kind()) {
            case REQUESTS -> counter.requests().used(nowMs);
            case TOKENS -> counter.tokens().used(nowMs);
            case CONCURRENCY -> counter.running();
        };
    }
}
