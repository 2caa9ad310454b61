package io.sluice.tenants.context;

import java.util.List;

/**
 * Says how many of the oldest turns of a conversation a model does not get to read. It cuts in steps: a conversation that grows turn by
 * turn keeps its beginning for several turns before that moves on, since a provider's prompt cache knows a prompt again only by an equal
 * beginning. What is kept never grows backwards while turns are added. Pure.
 */
public final class ContextDecider {
    /** A cut leaves out half of the turns that may stay, so that the beginning moves once in so many turns. */
    private static final int STEPS_OF_TURNS = 2;

    /** A cut by size leaves out a quarter of what turns may have: turns are many there, and whole answers hang on them. */
    private static final int STEPS_OF_BYTES = 4;

    private ContextDecider() {}

    /** The cut for {@code input}; linear in its turns. */
    public static ContextCut decide(ContextInput input) {
        int bySize = bySize(input);
        if (bySize < 0) {
            return new ContextCut(false, 0, 0);
        }
        int keptFrom = Math.max(bySize, byCount(input.turns().size(), input.turnsMax()));
        int dropped = 0;
        for (int turn = 0; turn < keptFrom; turn++) {
            dropped += input.turns().get(turn) > 0 ? 1 : 0;
        }
        return new ContextCut(true, keptFrom, dropped);
    }

    private static int byCount(int turns, int turnsMax) {
        if (turnsMax == 0 || turns <= turnsMax) {
            return 0;
        }
        int step = Math.max(1, turnsMax / STEPS_OF_TURNS);
        return (int) upTo(turns - turnsMax, step);
    }

    /** The first turn that is kept; -1 where even the newest is too long. */
    private static int bySize(ContextInput input) {
        long over = input.bytes() - input.bytesMax();
        if (input.bytesMax() == 0 || over <= 0) {
            return 0;
        }
        List<Long> turns = input.turns();
        long history = 0;
        for (long turn : turns) {
            history += turn;
        }
        long room = input.bytesMax() - (input.bytes() - history);
        long goal = upTo(over, Math.max(1, room / STEPS_OF_BYTES));
        int kept = 0;
        long without = 0;
        long before = 0;
        while (kept < turns.size() && without < goal) {
            before = without;
            without += turns.get(kept);
            kept++;
        }
        // The turn that the step ends in may be a long one: where little would be left without it, it stays as long as
        // it fits.
        boolean little = kept == turns.size() || history - without < room / 2;
        if (little && before >= over) {
            return kept - 1;
        }
        return kept == turns.size() ? -1 : kept;
    }

    /** The least multiple of {@code step} that is no less than {@code amount}. */
    private static long upTo(long amount, long step) {
        return (amount + step - 1) / step * step;
    }
}
