package io.sluice.data.money.journal;

import io.sluice.data.money.LedgerRecord;
import io.sluice.data.money.LedgerRecord.Checkpoint;
import io.sluice.data.money.LedgerRecord.Finished;
import io.sluice.data.money.LedgerRecord.Forgotten;
import io.sluice.data.money.LedgerRecord.Granted;
import io.sluice.data.money.LedgerRecord.Held;
import io.sluice.data.money.LedgerRecord.Opened;
import io.sluice.data.money.LedgerRecord.Released;
import io.sluice.data.money.LedgerRecord.Returned;
import io.sluice.data.money.LedgerRecord.Settled;
import java.util.Arrays;

/** The kinds of lines by the number under which they are on disk. A number is never used again for another kind. */
enum LineKind {
    OPENED(1, Opened.class),
    GRANTED(2, Granted.class),
    HELD(3, Held.class),
    SETTLED(4, Settled.class),
    RELEASED(5, Released.class),
    RETURNED(6, Returned.class),
    FINISHED(7, Finished.class),
    CHECKPOINT(8, Checkpoint.class),
    FORGOTTEN(9, Forgotten.class);

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
        return Arrays.stream(values())
                .filter(kind -> kind.type == line.getClass())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of line: " + line.getClass()));
    }

    static LineKind of(byte number) {
        return Arrays.stream(values())
                .filter(kind -> kind.number == number)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of line has the number " + number));
    }
}
