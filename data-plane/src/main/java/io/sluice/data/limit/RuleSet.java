package io.sluice.data.limit;

import io.sluice.data.limit.Limiter.Rule;
import io.sluice.tenants.limit.LimitKind;
import io.sluice.tenants.limit.LimitLevel;
import java.util.ArrayList;
import java.util.List;

/**
 * Rules that apply together, with their counters found, so that a request under them looks nothing up but its end user. Made by
 * {@link Limiter#rules} and kept by whoever admits by the same rules again. Thread-safe.
 */
public final class RuleSet {
    private final LimitCounters counters;
    private final RateShares shares;
    private final List<Rule> rules;
    private final boolean runs;
    private final int endUserAt;
    private volatile LimitUse[] uses;

    RuleSet(LimitCounters counters, RateShares shares, List<Rule> rules, boolean runs) {
        this.counters = counters;
        this.shares = shares;
        this.rules = List.copyOf(rules);
        this.runs = runs;
        uses = find();
        endUserAt = endUserAt(uses);
    }

    /** Where the limits of an end user stand among them: behind what is narrower. */
    private static int endUserAt(LimitUse[] uses) {
        int at = 0;
        while (at < uses.length && narrowerThanEndUser(uses[at].key().level())) {
            at++;
        }
        return at;
    }

    /** Whether none of them limits anything but end users. */
    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /** Their limits, found anew where a counter has been forgotten since, with those of the request's end user. */
    LimitUse[] uses(List<Rule> ofEndUser) {
        LimitUse[] named = uses;
        if (forgotten(named)) {
            named = find();
            uses = named;
        }
        return ofEndUser.isEmpty() ? named : joined(named, all(ofEndUser));
    }

    private LimitUse[] joined(LimitUse[] named, List<LimitUse> ofEndUser) {
        int more = ofEndUser.size();
        LimitUse[] all = new LimitUse[named.length + more];
        System.arraycopy(named, 0, all, 0, endUserAt);
        for (int i = 0; i < more; i++) {
            all[endUserAt + i] = ofEndUser.get(i);
        }
        System.arraycopy(named, endUserAt, all, endUserAt + more, named.length - endUserAt);
        return all;
    }

    private static boolean forgotten(LimitUse[] uses) {
        for (LimitUse use : uses) {
            if (use.counter().forgotten()) {
                return true;
            }
        }
        return false;
    }

    /** Asked by whoever has just taken from all of them: whether that counts. */
    static boolean stay(LimitUse[] uses) {
        for (LimitUse use : uses) {
            if (!use.counter().stays()) {
                return false;
            }
        }
        return true;
    }

    private LimitUse[] find() {
        return all(rules).toArray(LimitUse[]::new);
    }

    private static boolean narrowerThanEndUser(LimitLevel level) {
        return level == LimitLevel.KEY || level == LimitLevel.SCENARIO;
    }

    private List<LimitUse> all(List<Rule> of) {
        List<LimitUse> all = new ArrayList<>(3 * of.size());
        for (int i = 0; i < of.size(); i++) {
            Rule rule = of.get(i);
            if (of.indexOf(rule) == i) {
                all.addAll(counters.of(rule.key()).uses(rule, shares));
            }
        }
        if (!runs) {
            all.removeIf(use -> use.kind() == LimitKind.CONCURRENCY);
        }
        return all;
    }
}
