package io.sluice.data.money.journal;

import io.sluice.data.money.journal.Texts.Text;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;

/** A process that appends until it is killed, and prints each acknowledged seq. */
final class JournalChild {
    private JournalChild() {}

    /** Several writes are under way at any moment. */
    private static final int IN_FLIGHT_MAX = 16;

    static String textOf(long seq) {
        return "record " + seq + " " + "x".repeat((int) (seq * 37 % 400));
    }

    public static void main(String[] arguments) throws Exception {
        Journal journal = Texts.open(new DirectoryFiles(Path.of(arguments[0])));
        PrintStream out = System.out;
        Semaphore room = new Semaphore(IN_FLIGHT_MAX);
        for (long next = journal.durableSeq() + 1; ; next++) {
            room.acquire();
            journal.append(new Text(textOf(next))).thenAccept(seq -> {
                out.println(seq);
                room.release();
            });
        }
    }
}
