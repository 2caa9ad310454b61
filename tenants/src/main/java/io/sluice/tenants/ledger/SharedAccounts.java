package io.sluice.tenants.ledger;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * One node's copy of accounts that other nodes change too. What is asked is decided on the copy and counts only where the store
 * still had what the copy has: {@link #decide}, save conditionally, {@link #kept} or {@link #overtaken}; who was overtaken decides anew.
 *
 * <ol>
 *   <li>Nothing of a {@link Round} may be answered before its account was kept.
 *   <li>A node's question is answered only on a state that this copy itself saved, be it unchanged: what was merely read may be a save
 *       that no replica has, and so be gone after a failover.
 * </ol>
 *
 * <p>Not thread-safe; one round at a time.
 */
public final class SharedAccounts {
    private final Authority authority;
    private final Map<AccountKey, Long> revisions = new HashMap<>();
    private final Set<AccountKey> own = new HashSet<>();
    private final Set<AccountKey> changed = new HashSet<>();
    private final Map<AccountKey, AccountState> round = new HashMap<>();

    /**
     * Something to decide.
     *
     * @param command null to bring the account under the terms and the epoch that hold now, and nothing else
     */
    public record Question(AccountKey account, AuthorityCommand command) {
        public Question {
            Objects.requireNonNull(account);
        }

        public static Question of(AuthorityCommand command) {
            return new Question(command.account(), command);
        }

        private boolean ofNode() {
            return command != null && command.holder() != null;
        }
    }

    /**
     * What a question came to.
     *
     * @param answer null where nothing was asked, and where it failed
     * @param fault null where it did not
     */
    public record Verdict(AccountKey account, AuthorityAnswer answer, RuntimeException fault) {}

    /**
     * An account to save.
     *
     * @param revision that the store has to have still; {@link KeptAccount#NEVER} where it has to have none
     */
    public record Write(long revision, AccountState state) {}

    /**
     * What became of some questions.
     *
     * @param writes one per account
     * @param verdicts one per question, in order
     */
    public record Round(List<Write> writes, List<Verdict> verdicts) {
        public Round {
            writes = List.copyOf(writes);
            verdicts = List.copyOf(verdicts);
        }
    }

    /** @param authority that decides; it has no accounts yet */
    public SharedAccounts(Authority authority) {
        this.authority = authority;
    }

    public long epoch() {
        return authority.epoch();
    }

    /** Whether it is known what the store has of {@code account}, be it nothing. */
    public boolean knows(AccountKey account) {
        return revisions.containsKey(account);
    }

    /** The revision of the copy; {@link KeptAccount#NEVER} where there is none. */
    public long revision(AccountKey account) {
        return revisions.getOrDefault(account, KeptAccount.NEVER);
    }

    /**
     * Takes over what the store has, unless that is no news, or a round waits for the store's word on it.
     *
     * @throws IllegalStateException where its sums are wrong; then nothing is known of it
     */
    public void load(KeptAccount kept) {
        AccountKey account = kept.state().account();
        if (!round.containsKey(account) && kept.revision() > revision(account)) {
            take(kept);
        }
    }

    private void take(KeptAccount kept) {
        AccountKey account = kept.state().account();
        forget(account);
        authority.load(kept.state());
        revisions.put(account, kept.revision());
        changed.add(account);
    }

    /** The store has nothing of {@code account}. */
    public void absent(AccountKey account) {
        revisions.putIfAbsent(account, KeptAccount.NEVER);
    }

    /** Drops it from memory; it has to be loaded again before it is asked for. */
    public void forget(AccountKey account) {
        authority.unload(account);
        revisions.remove(account);
        own.remove(account);
        round.remove(account);
    }

    /** Decides in order; every account that is asked for has to be known. */
    public Round decide(Collection<Question> questions, Instant now) {
        Set<AccountKey> confirm = new HashSet<>();
        List<Verdict> verdicts = new ArrayList<>(questions.size());
        Map<AccountKey, AccountState> before = new LinkedHashMap<>();
        for (Question question : questions) {
            AccountKey account = question.account();
            if (!knows(account)) {
                throw new IllegalArgumentException("not loaded: " + account);
            }
            if (!before.containsKey(account)) {
                before.put(account, authority.state(account));
            }
            verdicts.add(verdict(question, now));
            if (question.ofNode() && !own.contains(account)) {
                confirm.add(account);
            }
        }
        List<Write> writes = new ArrayList<>();
        before.forEach((account, was) -> {
            AccountState next = authority.state(account);
            if (next != null && (!next.equals(was) || confirm.contains(account))) {
                round.put(account, next);
                writes.add(new Write(revision(account), next));
            }
        });
        return new Round(writes, verdicts);
    }

    private Verdict verdict(Question question, Instant now) {
        AccountKey account = question.account();
        try {
            if (question.command() == null) {
                authority.refresh(account, now);
                return new Verdict(account, null, null);
            }
            List<AccountDecider.Step> steps = authority.apply(question.command(), now);
            return new Verdict(account, steps.get(steps.size() - 1).answer(), null);
        } catch (IllegalStateException | ArithmeticException fault) {
            return new Verdict(account, null, fault);
        }
    }

    /** The store took this round's write. */
    public void kept(AccountKey account, long revision) {
        if (round.remove(account) != null) {
            revisions.put(account, revision);
            own.add(account);
            changed.add(account);
        }
    }

    /**
     * The store had another revision: nothing of this round's counts for {@code account}.
     *
     * @param present what it has; null where it has nothing
     */
    public void overtaken(AccountKey account, KeptAccount present) {
        forget(account);
        if (present == null) {
            absent(account);
        } else {
            take(present);
        }
    }

    /** Whether a round waits for the store's word on {@code account}. */
    public boolean waits(AccountKey account) {
        return round.containsKey(account);
    }

    /** Null where nothing is known of it. */
    public AccountState state(AccountKey account) {
        return authority.state(account);
    }

    public Collection<AccountState> states() {
        return authority.states();
    }

    /** Accounts that are not as they were at the last call. */
    public Set<AccountKey> changes() {
        Set<AccountKey> all = Set.copyOf(changed);
        changed.clear();
        return all;
    }
}
