package io.sluice.tenants.ledger;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * All accounts of one authority: keeps each under the terms that hold now and under the authority's epoch before it hears what nodes
 * want. Not thread-safe. What {@link #apply} returns has to be durable before its answer is given; where it can not be made durable this
 * object must not be used any more.
 */
public final class Authority {
    private final long epoch;
    private final Instant began;
    private final Set<String> members;
    private final Function<AccountKey, CapTerms> terms;
    private final Map<AccountKey, AccountState> states = new LinkedHashMap<>();

    /**
     * @param epoch larger than that of any authority before
     * @param began when this epoch began: accounts of later periods can not have been known before
     * @param members nodes that may hold slices of accounts that were known before
     * @param terms that hold now for an account; null where there never was such a cap
     */
    public Authority(long epoch, Instant began, Set<String> members, Function<AccountKey, CapTerms> terms) {
        this.epoch = epoch;
        this.began = began;
        this.members = Set.copyOf(members);
        this.terms = terms;
    }

    /** Takes over what an authority before this one made durable. */
    public void load(AccountState state) {
        state.check();
        states.put(state.account(), state);
    }

    /** Drops a closed account from memory. */
    public void unload(AccountKey account) {
        states.remove(account);
    }

    public long epoch() {
        return epoch;
    }

    /** Null where nothing is known of it. */
    public AccountState state(AccountKey account) {
        return states.get(account);
    }

    public Collection<AccountState> states() {
        return List.copyOf(states.values());
    }

    /** Steps in order; the last one has the answer to {@code command}. */
    public List<AccountDecider.Step> apply(AuthorityCommand command, Instant now) {
        List<AccountDecider.Step> steps = refresh(command.account(), now);
        step(steps, command, now);
        return steps;
    }

    /** Brings {@code account} under the terms that hold now and under this epoch; empty where it is. */
    public List<AccountDecider.Step> refresh(AccountKey account, Instant now) {
        List<AccountDecider.Step> steps = new ArrayList<>();
        AccountState state = states.get(account);
        if (state != null && state.closed()) {
            return steps;
        }
        CapTerms wanted = terms.apply(account);
        if (wanted != null && differs(state, wanted)) {
            step(steps, terms(account, wanted), now);
        }
        AccountState set = states.get(account);
        if (set != null && set.epoch() < epoch) {
            boolean fresh = state == null && set.opens().isAfter(began.plus(AccountDecider.EARLY_MAX));
            step(steps, new AuthorityCommand.Freeze(account, epoch, fresh ? Set.of() : members), now);
        }
        return steps;
    }

    private static boolean differs(AccountState state, CapTerms wanted) {
        if (state == null) {
            return wanted.capped();
        }
        boolean same = wanted.capped() == state.capped()
                && (!wanted.capped()
                        || (wanted.limitMicros() == state.limitMicros()
                                && wanted.opens().equals(state.opens())
                                && wanted.ends().equals(state.ends())));
        return wanted.version() > state.version() && !same;
    }

    private static AuthorityCommand terms(AccountKey account, CapTerms wanted) {
        return wanted.capped()
                ? new AuthorityCommand.SetCap(
                        account, wanted.version(), wanted.limitMicros(), wanted.opens(), wanted.ends())
                : new AuthorityCommand.RemoveCap(account, wanted.version());
    }

    private void step(List<AccountDecider.Step> steps, AuthorityCommand command, Instant now) {
        AccountDecider.Step step = AccountDecider.decide(states.get(command.account()), command, now);
        if (step.next().known()) {
            states.put(command.account(), step.next());
        }
        steps.add(step);
    }
}
