package io.sluice.ops;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Turns SIGTERM and Ctrl-C into an orderly stop with exit code 0, which the JVM by itself would not give. Stopping before the
 * start is done ends at once: whatever was acknowledged by then is on disk.
 */
final class Shutdown {
    private final AtomicReference<Runnable> stop = new AtomicReference<>(() -> {});
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean armed = true;

    private Shutdown() {}

    /** From now on a signal ends the process with exit code 0. */
    static Shutdown onSignal() {
        Shutdown shutdown = new Shutdown();
        Runtime.getRuntime().addShutdownHook(new Thread(shutdown::run, "sluice-stop"));
        return shutdown;
    }

    /** What to do first; it returns when all is done. */
    void then(Runnable orderly) {
        stop.set(orderly);
    }

    /** The process ends by itself, with an exit code of its own. */
    void disarm() {
        armed = false;
    }

    /** Waits for the signal; the process ends while the caller waits. */
    void await() throws InterruptedException {
        stopped.await();
    }

    private void run() {
        if (armed) {
            stop.get().run();
            Runtime.getRuntime().halt(Main.STOPPED);
        }
    }
}
