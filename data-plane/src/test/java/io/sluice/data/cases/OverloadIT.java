package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.decision.DecisionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Show 2, scaled down: load 1× → 6× → 1× of what the upstream can do, as callers who ask again at once. The upstream works at
 * {@value #CAPACITY} calls at a time and lets the others wait, and tells nobody; it is given twice as many at most. Calls are counted, not timed: goodput is the
 * share of its places that are busy with calls whose answers reach their callers.
 */
class OverloadIT {
    private static final int CAPACITY = 4;
    private static final int SERVICE_MS = 40;

    private final Semaphore places = new Semaphore(CAPACITY, true);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger worst = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger busyPlaces = new AtomicInteger();

    private void serve(ScriptedUpstream.Request request, ScriptedUpstream.Wire wire)
            throws java.io.IOException, InterruptedException {
        worst.accumulateAndGet(inside.incrementAndGet(), Math::max);
        places.acquire();
        try {
            calls.incrementAndGet();
            busyPlaces.addAndGet(CAPACITY - places.availablePermits());
            Thread.sleep(SERVICE_MS);
        } finally {
            places.release();
            inside.decrementAndGet();
        }
        wire.json(200, Sse.whole("done", 3, 2));
    }

    /** Places that were busy when a call began to be served, of all places, on average. */
    private double utilisation() {
        return busyPlaces.getAndSet(0) / (double) (CAPACITY * calls.getAndSet(0));
    }

    private static final class Phase {
        private final AtomicInteger answered = new AtomicInteger();
        private final AtomicInteger turnedAway = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();

        void count(int status) {
            (status == 200 ? answered : status == 429 || status == 503 ? turnedAway : failed).incrementAndGet();
        }
    }

    /** Callers who ask again at once, and after a moment where they were turned away, until so many were answered. */
    private static Phase load(TestGateway gateway, int realtime, int batch, int answers) throws Exception {
        Phase phase = new Phase();
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService callers = Executors.newFixedThreadPool(realtime + batch);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < realtime + batch; i++) {
            String lane = i < realtime ? "realtime" : "batch";
            running.add(callers.submit(() -> {
                while (!over.get()) {
                    int status = gateway.client()
                            .chat(Client.request(), "x-priority", lane)
                            .status();
                    phase.count(status);
                    if (status != 200) {
                        Thread.sleep(20);
                    }
                }
                return null;
            }));
        }
        TestGateway.eventually(answers + " were answered", () -> phase.answered.get() >= answers);
        over.set(true);
        for (Future<?> caller : running) {
            caller.get(30, TimeUnit.SECONDS);
        }
        callers.shutdown();
        return phase;
    }

    @Test
    void sixTimesTheLoadCostsNeitherGoodputNorTheUrgentNorTheTimeAfter() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing(this::serve);
                TestGateway gateway = TestGateway.start(
                        Ends.providers(TestConfig.pool(up), provider -> Ends.limited(provider, 2 * CAPACITY)))) {
            Phase before = load(gateway, CAPACITY, 0, 300);
            double peak = utilisation();
            load(gateway, 4 * CAPACITY, 2 * CAPACITY, 500);
            utilisation();
            worst.set(0);
            Phase overload = load(gateway, 4 * CAPACITY, 2 * CAPACITY, 500);
            double under = utilisation();
            int waiting = worst.get();
            load(gateway, CAPACITY, 0, 100);
            Phase after = load(gateway, CAPACITY, 0, 300);

            assertThat(before.failed.get() + overload.failed.get() + after.failed.get())
                    .isZero();
            assertThat(under).isGreaterThan(0.8 * peak);
            assertThat(waiting).as("calls at the upstream at once").isLessThanOrEqualTo(2 * CAPACITY);
            assertThat(gateway.metric("sluice_queue_ended_total{end=\"served\""))
                    .isPositive();
            assertThat(after.turnedAway.get()).isLessThanOrEqualTo(after.answered.get() / 100);
            lanes(Ends.decisions(gateway));
            Ends.nothingIsHeld(gateway, 6L * CAPACITY, up);
        }
    }

    /** Real-time waits no longer than it may, batch does; both go on. */
    private static void lanes(List<DecisionRecord> all) {
        assertThat(all)
                .filteredOn(record ->
                        record.lane() == Lane.BATCH && record.outcome().equals("ok"))
                .isNotEmpty();
        assertThat(all)
                .filteredOn(record -> record.lane() == Lane.REALTIME)
                .allSatisfy(record -> assertThat(record.waits())
                        .allSatisfy(wait -> assertThat(wait.allowedMs()).isLessThanOrEqualTo(250)));
        double urgent = waitMs(all, Lane.REALTIME);
        double late = waitMs(all, Lane.BATCH);
        assertThat(urgent).as("mean wait of real-time, against batch's").isLessThan(late);
    }

    private static double waitMs(List<DecisionRecord> all, Lane lane) {
        return all.stream()
                .filter(record -> record.lane() == lane && record.outcome().equals("ok"))
                .flatMap(record -> record.waits().stream())
                .mapToDouble(wait -> wait.waitedMs())
                .average()
                .orElse(0);
    }
}
