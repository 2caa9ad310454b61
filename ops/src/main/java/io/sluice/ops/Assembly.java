package io.sluice.ops;

import io.sluice.ops.logging.Logs;
import io.sluice.ops.settings.Settings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the modules of one process in order and stops them in reverse. The only class that knows them all. */
final class Assembly {
    private static final Logger LOG = LoggerFactory.getLogger(Assembly.class);

    /** What is closed may take this long each; it is mostly a flush to disk. */
    private static final int CLOSE_S_MAX = 5;

    private final Settings settings;
    private final Readiness readiness = new Readiness();
    private final Deque<Closing> closings = new ArrayDeque<>();

    /** Undoes one step of the start. */
    private interface Closing {
        void close() throws Exception;
    }

    private Assembly(Settings settings) {
        this.settings = settings;
    }

    /**
     * Starts all of it and returns when it serves.
     *
     * @param demo whether the demo tenant is made where it is missing
     * @throws StartFailedException with what a person can do about it; nothing is left running
     */
    static Node start(Settings settings, boolean demo) throws StartFailedException {
        Assembly assembly = new Assembly(settings);
        boolean done = false;
        try {
            Node node = assembly.all(demo);
            done = true;
            return node;
        } finally {
            if (!done) {
                assembly.closeAll();
            }
        }
    }

    private Node all(boolean demo) throws StartFailedException {
        DataDirectory directory = DataDirectory.take(settings.dataDir());
        closings.push(directory::close);
        Logs logs = logs();
        closings.push(logs::close);
        Vertx vertx = Vertx.vertx(options());
        closings.push(() -> await("Vert.x", vertx.close(), CLOSE_S_MAX));
        LOG.atInfo().addKeyValue("demo", demo).log("starting");
        return new Node(
                new Greeting.Facts(
                        settings.listeners().host(),
                        settings.listeners().port(),
                        settings.listeners().adminPort(),
                        settings.dataDir(),
                        Optional.empty(),
                        settings.adminToken().isPresent(),
                        Optional.empty()),
                this::stop);
    }

    private VertxOptions options() {
        VertxOptions options = new VertxOptions();
        int cores = Runtime.getRuntime().availableProcessors();
        options.setEventLoopPoolSize(settings.eventLoops() == 0 ? cores : settings.eventLoops());
        return options;
    }

    private Logs logs() throws StartFailedException {
        try {
            return Logs.open(settings.logging().target(), settings.dataDir());
        } catch (IOException denied) {
            throw new StartFailedException(
                    "can't write the log " + Logs.file(settings.dataDir()) + " (" + denied
                            + "); make its directory writable, or set logging.to: stderr",
                    denied);
        }
    }

    private void stop() {
        readiness.drain();
        closeAll();
    }

    private void closeAll() {
        while (!closings.isEmpty()) {
            try {
                closings.pop().close();
            } catch (Exception notClosed) {
                LOG.error("a part did not close", notClosed);
            }
        }
    }

    /** Waits for one part of the start or the stop. */
    private static <T> T await(String part, Future<T> future, int secondsMax) throws StartFailedException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(secondsMax, TimeUnit.SECONDS);
        } catch (InterruptedException stopAsked) {
            Thread.currentThread().interrupt();
            throw new StartFailedException(part + ": interrupted", stopAsked);
        } catch (TimeoutException hangs) {
            throw new StartFailedException(part + " was not done within " + secondsMax + " s", hangs);
        } catch (ExecutionException failed) {
            throw new StartFailedException(part + ": " + failed.getCause().getMessage(), failed.getCause());
        }
    }
}
