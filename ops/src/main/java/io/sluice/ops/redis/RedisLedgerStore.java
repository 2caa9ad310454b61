package io.sluice.ops.redis;

import io.sluice.control.ledger.EpochOverException;
import io.sluice.control.ledger.LedgerStore;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.KeptAccount;
import io.sluice.tenants.ledger.SharedAccounts.Write;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * The ledger of all nodes in one Redis and its replicas: a hash {@code ledger:<tenant>:<period>:<cap>} per account, and
 * {@code ledger:changed}, the open accounts in the order of their last save. A revision is the number of a save among all of them. An epoch
 * begins whenever this is another process of Redis than before, or the same with another history.
 *
 * <p>It wants a Redis of its own that evicts nothing and writes every change to disk. Where there are replicas, what is kept is on as many of
 * them as {@link RedisSettings#replicasMin} says.
 */
public final class RedisLedgerStore implements LedgerStore {
    /** A node that said nothing for so long is no member of an epoch; where it holds something, the accounts know. */
    private static final Duration GONE_AFTER = Duration.ofMinutes(10);

    /** A batch of reads that is longer makes others wait. */
    private static final int FIND_MAX = 256;

    private final RedisLink link;
    private volatile String spender;

    private RedisLedgerStore(RedisLink link) {
        this.link = link;
    }

    /** Opens the way to it; it need not be there yet. */
    public static RedisLedgerStore open(Vertx vertx, RedisSettings settings) {
        return new RedisLedgerStore(RedisLink.open(vertx, settings, "the ledger"));
    }

    @Override
    public Future<Epoch> begin(String who, Epoch known, long atLeast) {
        spender = who;
        Request begin = inEpoch(script(LedgerScripts.BEGIN, 0).arg(who == null ? "" : who), known)
                .arg(atLeast)
                .arg(GONE_AFTER.toSeconds());
        return link.durable(begin).map(answer -> {
            Set<String> members = new HashSet<>();
            answer.get(2).forEach(member -> members.add(member.toString()));
            return new Epoch(answer.get(0).toLong(), answer.get(1).toString(), members);
        });
    }

    private static Request inEpoch(Request script, Epoch epoch) {
        return script.arg(epoch.number()).arg(epoch.history());
    }

    @Override
    public Future<List<KeptAccount>> find(Collection<AccountKey> accounts) {
        List<AccountKey> all = List.copyOf(accounts);
        Future<List<KeptAccount>> found = Future.succeededFuture(new ArrayList<>());
        for (int from = 0; from < all.size(); from += FIND_MAX) {
            List<AccountKey> some = all.subList(from, Math.min(all.size(), from + FIND_MAX));
            found = found.compose(before -> link.batch(
                            some.stream().map(RedisLedgerStore::get).toList())
                    .map(answers -> {
                        for (int i = 0; i < answers.size(); i++) {
                            add(before, some.get(i), answers.get(i));
                        }
                        return before;
                    }));
        }
        return found;
    }

    private static Request get(AccountKey account) {
        return Request.cmd(Command.HMGET).arg(key(account)).arg("revision").arg("state");
    }

    private static void add(List<KeptAccount> to, AccountKey account, Response revisionAndState) {
        if (revisionAndState.get(0) != null) {
            to.add(kept(account, revisionAndState));
        }
    }

    private static KeptAccount kept(AccountKey account, Response revisionAndState) {
        return new KeptAccount(
                revisionAndState.get(0).toLong(),
                LedgerText.read(account, revisionAndState.get(1).toString()));
    }

    @Override
    public Future<Changes> changes(Epoch epoch, long since, ToLongFunction<AccountKey> seen) {
        return link.send(inEpoch(script(LedgerScripts.CHANGES, 0), epoch).arg(since))
                .compose(answer -> {
                    if (answer == null) {
                        return Future.failedFuture(new EpochOverException(epoch));
                    }
                    Response time = answer.get(0);
                    Response changed = answer.get(1);
                    Instant at = Instant.ofEpochSecond(
                            time.get(0).toLong(),
                            TimeUnit.MICROSECONDS.toNanos(time.get(1).toLong()));
                    long upTo = since;
                    List<AccountKey> news = new ArrayList<>();
                    for (int i = 0; i < changed.size(); i += 2) {
                        AccountKey account = AccountKey.ofKey(changed.get(i).toString());
                        long revision = changed.get(i + 1).toLong();
                        upTo = Math.max(upTo, revision);
                        if (revision > seen.applyAsLong(account)) {
                            news.add(account);
                        }
                    }
                    long last = upTo;
                    return find(news).map(accounts -> new Changes(accounts, last, Optional.of(at)));
                });
    }

    @Override
    public Future<Map<AccountKey, Saved>> save(Epoch epoch, List<Write> writes) {
        Request save = script(LedgerScripts.SAVE, writes.size());
        writes.forEach(write -> save.arg(key(write.state().account())));
        inEpoch(save, epoch);
        for (Write write : writes) {
            AccountState state = write.state();
            save.arg(state.account().key())
                    .arg(write.revision())
                    .arg(state.closed() ? "1" : "0")
                    .arg(LedgerText.of(state));
        }
        return link.durable(save).compose(answers -> {
            if (answers == null) {
                return Future.failedFuture(new EpochOverException(epoch));
            }
            Map<AccountKey, Saved> saved = new HashMap<>();
            for (int i = 0; i < writes.size(); i++) {
                AccountKey account = writes.get(i).state().account();
                saved.put(account, saved(account, answers.get(i)));
            }
            return Future.succeededFuture(saved);
        });
    }

    private static Saved saved(AccountKey account, Response answer) {
        if (answer.size() == 1) {
            return new Saved.Kept(answer.get(0).toLong());
        }
        boolean none = answer.get(0).toLong() == KeptAccount.NEVER;
        return new Saved.Overtaken(none ? null : kept(account, answer));
    }

    private static Request script(String text, int keys) {
        return Request.cmd(Command.EVAL).arg(text).arg(keys);
    }

    private static String key(AccountKey account) {
        return "ledger:" + account.tenant().value() + ":" + account.period().key() + ":" + account.capId();
    }

    /** A node that leaves is no member any more; what it could not give back is in the accounts. */
    @Override
    public Future<Void> close() {
        Future<Response> left = spender == null
                ? Future.succeededFuture()
                : link.send(Request.cmd(Command.HDEL).arg("ledger:nodes").arg(spender));
        return left.transform(any -> link.close());
    }
}
