package io.sluice.data.money.journal;

import io.sluice.data.money.LedgerRecord;
import io.sluice.data.money.LedgerRecord.Checkpoint;
import io.sluice.data.money.LedgerRecord.Finished;
import io.sluice.data.money.LedgerRecord.Forgotten;
import io.sluice.data.money.LedgerRecord.Granted;
import io.sluice.data.money.LedgerRecord.Opened;
import io.sluice.data.money.LedgerRecord.Returned;
import io.sluice.data.money.LedgerRecord.Settled;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The kinds of lines by the number under which they are on disk. A number is never used again for another kind; {@link #PAST} are those that
 * releases before wrote and that say nothing any more.
 */
enum LineKind {
    OPENED(1, Opened.class),
    GRANTED(2, Granted.class),
    SETTLED(4, Settled.class),
    RETURNED(6, Returned.class),
    FINISHED(7, Finished.class),
    CHECKPOINT(8, Checkpoint.class),
    FORGOTTEN(9, Forgotten.class);

    /** What was reserved, and that it was given back. */
    static final Set<Byte> PAST = Set.of((byte) 3, (byte) 5);

    private static final Map<Class<?>, LineKind> BY_TYPE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(LineKind::type, Function.identity()));

    private final byte number;
    private final Class<? extends LedgerRecord> type;

    LineKind(int number, Class<? extends LedgerRecord> type) {
        this.number = (byte) number;
        this.type = type;
    }

    byte number() {
        return number;
    }

    Class<? extends LedgerRecord> type() {
        return type;
    }

    static LineKind of(LedgerRecord line) {
        return BY_TYPE.get(line.getClass());
    }

    static LineKind of(byte number) {
        return Arrays.stream(values())
                .filter(kind -> kind.number == number)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of line has the number " + number));
    }
}
