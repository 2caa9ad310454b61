package io.sluice.control.config;

import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioDefaults;
import io.sluice.tenants.config.UserErrorCode;
import java.time.Duration;
import java.util.List;

/**
 * Whether a ladder can run within its deadline (requirement A5): every pool must be able to start, and to have the time it says
 * it needs, also when the rungs above used all of theirs.
 *
 * @param deadline of the whole request
 * @param reserve of it that is kept for rungs below the first
 * @param firstToken as configured; null where the default holds
 */
record LadderTimes(Duration deadline, Duration reserve, Duration firstToken) {
    /** Adds what is wrong with {@code ladder}, a right one but for its times, at the path of each rung. */
    void check(List<RungConfig> ladder, Problems problems) {
        Duration first = ladder.size() > 1 ? deadline.minus(reserve) : deadline;
        if (firstToken != null && firstToken.compareTo(first) > 0) {
            problems.add(
                    UserErrorCode.INVALID,
                    "must be at most " + first + ": of the deadline " + deadline + ", " + reserve
                            + " are kept for the rungs below the first; lower it, or raise the deadline",
                    "firstTokenTimeout");
        }
        for (int i = 0; i < ladder.size(); i++) {
            if (ladder.get(i) instanceof RungConfig.Pool pool) {
                checkRung(pool, problems.at("ladder", Integer.toString(i)));
            }
        }
        if (ladder.get(0) instanceof RungConfig.Pool top) {
            checkFirst(top, first, problems.at("ladder", "0"));
            checkLower(ladder, left(top, first), problems);
        }
    }

    /** An attempt that is cut before it had the time it needs can never succeed. */
    private static void checkRung(RungConfig.Pool rung, Problems here) {
        Duration needed = needed(rung);
        if (rung.timeout() != null && rung.timeout().compareTo(needed) < 0) {
            here.add(
                    UserErrorCode.INVALID,
                    "rung \"" + rung.name() + "\" would be cut after " + rung.timeout()
                            + ", before the minRemaining of " + needed + " that it needs; raise timeout to at least "
                            + needed + ", or lower minRemaining",
                    "timeout");
        }
    }

    private void checkFirst(RungConfig.Pool rung, Duration first, Problems here) {
        String why = "rung \"" + rung.name() + "\" has at most " + first + " of the deadline " + deadline + ", since "
                + reserve + " are kept for the rungs below; ";
        if (needed(rung).compareTo(first) > 0) {
            here.add(
                    UserErrorCode.INVALID,
                    why + "lower its minRemaining to that, raise the deadline, or lower the setting"
                            + " lowerRungsReserve",
                    "minRemaining");
        }
        if (rung.timeout() != null && rung.timeout().compareTo(first) > 0) {
            here.add(
                    UserErrorCode.INVALID,
                    why + "lower its timeout to that, raise the deadline, or lower the setting lowerRungsReserve",
                    "timeout");
        }
    }

    /** What is left of the deadline when the first rung took all its time. */
    private Duration left(RungConfig.Pool top, Duration first) {
        boolean own = top.timeout() != null && top.timeout().compareTo(first) < 0;
        return deadline.minus(own ? top.timeout() : first);
    }

    private static void checkLower(List<RungConfig> ladder, Duration left, Problems problems) {
        Duration sum = Duration.ZERO;
        for (int i = 1; i < ladder.size(); i++) {
            if (ladder.get(i) instanceof RungConfig.Pool pool) {
                Duration before = sum;
                sum = sum.plus(needed(pool));
                if (sum.compareTo(left) > 0) {
                    problems.at("ladder", Integer.toString(i))
                            .add(
                                    UserErrorCode.INVALID,
                                    "rung \"" + pool.name()
                                            + "\" can not start: when the first rung has taken its time, "
                                            + left + " are left, rungs between need " + before + ", and this one needs "
                                            + needed(pool) + "; lower its minRemaining, give the first rung a shorter"
                                            + " timeout, or raise the deadline",
                                    "minRemaining");
                    return;
                }
            }
        }
    }

    private static Duration needed(RungConfig.Pool rung) {
        return rung.minRemaining() == null ? ScenarioDefaults.MIN_REMAINING : rung.minRemaining();
    }
}
