package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.ops.OpenLoad.Call;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Six times what the upstream can do, for {@value #SURGE_S} s, from callers who do not wait for each other, every second request of the batch lane; before and
 * after it as much as the upstream can do, less a twentieth. The upstream serves {@value #PLACES} calls at a time and lets the others wait, and
 * tells nobody. Needs a machine that has nothing else to do: what is measured is a rate.
 */
@Tag("chaos")
@Timeout(300)
class SurgeIT {
    private static final int PLACES = 8;
    private static final int SERVICE_MS = 100;
    private static final double NORMAL_PER_S = 0.95 * PLACES * 1_000 / SERVICE_MS;
    private static final int BEFORE_S = 15;
    private static final int SURGE_S = 30;
    private static final int AFTER_S = 30;

    /** Within so much after the surge all must be as before. */
    private static final int RECOVERY_S = 10;

    /** Until then the target's limit is not known: calls are let through that the upstream keeps waiting for longer than it may. */
    private static final int LEARNT_S = 5;

    /** Far below the half minute that a request may take: who waits for the upstream behind everybody would wait for all of it. */
    private static final int REALTIME_P99_MS_MAX = 5_000;

    @TempDir
    Path directory;

    private final Semaphore places = new Semaphore(PLACES, true);

    private void serve(ScriptedUpstream.Request request, ScriptedUpstream.Wire wire)
            throws IOException, InterruptedException {
        places.acquire();
        try {
            Thread.sleep(SERVICE_MS);
        } finally {
            places.release();
        }
        wire.json(200, Sse.whole("done", 3, 2));
    }

    @Test
    void goodputHoldsWhileSixTimesTheLoadComesAndAllIsWellSoonAfter(TestReporter figures) throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.playing(this::serve);
                SluiceProcess sluice = SluiceProcess.up(directory.resolve("data"), "--empty")) {
            String key = onboard(new Admin(sluice, sluice.shownToken()), upstream);
            load(sluice, key, NORMAL_PER_S, 5);
            List<Call> before = load(sluice, key, NORMAL_PER_S, BEFORE_S);
            List<Call> surge = load(sluice, key, 6 * NORMAL_PER_S, SURGE_S);
            List<Call> after = load(sluice, key, NORMAL_PER_S, AFTER_S);

            double peak = goodput(before, BEFORE_S);
            double during = goodput(surge, SURGE_S);
            List<Call> realtime =
                    surge.stream().filter(answered().and(realtime())).toList();
            List<Call> batch =
                    surge.stream().filter(answered().and(realtime().negate())).toList();
            List<Call> late = after.stream()
                    .filter(call -> call.sentMs() >= RECOVERY_S * 1_000L)
                    .toList();
            long lateWell = late.stream().filter(answered()).count();
            double p99Ms = OpenLoad.quantile(0.99, realtime);
            figures.publishEntry(Map.of(
                    "answered per second before, during",
                    "%.1f, %.1f".formatted(peak, during),
                    "real-time and batch answered in the surge",
                    realtime.size() + ", " + batch.size(),
                    "real-time p50, p99, batch p50, ms",
                    "%.0f, %.0f, %.0f"
                            .formatted(OpenLoad.quantile(0.5, realtime), p99Ms, OpenLoad.quantile(0.5, batch)),
                    "not answered in the surge, by status",
                    surge.stream()
                            .filter(answered().negate())
                            .collect(Collectors.groupingBy(Call::status, TreeMap::new, Collectors.counting()))
                            .toString(),
                    "answered later than 10 s after the surge",
                    lateWell + " of " + late.size()));
            assertThat(during).isGreaterThanOrEqualTo(0.8 * peak);
            assertThat(surge)
                    .filteredOn(call -> call.sentMs() > LEARNT_S * 1_000L)
                    .filteredOn(answered().negate())
                    .allSatisfy(call -> assertThat(call.status()).isIn(429, 503))
                    .allSatisfy(call -> assertThat(call.header("retry-after")).isNotEmpty());
            assertThat(surge).filteredOn(call -> call.status() == 504).hasSizeLessThan(surge.size() / 20);
            assertThat(p99Ms).isLessThan(REALTIME_P99_MS_MAX);
            assertThat(realtime.size()).isGreaterThan(batch.size());
            assertThat(lateWell).isGreaterThanOrEqualTo(Math.round(0.99 * late.size()));
        }
    }

    private static Predicate<Call> answered() {
        return call -> call.status() == 200;
    }

    private static Predicate<Call> realtime() {
        return call -> call.number() % 2 == 0;
    }

    /** Answers per second that came while the load was sent. */
    private static double goodput(List<Call> calls, int seconds) {
        return calls.stream()
                        .filter(answered())
                        .filter(call -> call.endedMs() <= seconds * 1_000L)
                        .count()
                / (double) seconds;
    }

    private static List<Call> load(SluiceProcess sluice, String key, double perSecond, int seconds) throws Exception {
        String url = sluice.fact("Apps") + "/chat/completions";
        return OpenLoad.send(
                perSecond,
                (int) Math.round(perSecond * seconds),
                i -> SluiceProcess.chat(
                        url,
                        key,
                        "{\"model\":\"auto\",\"max_tokens\":5,\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}",
                        "x-priority",
                        i % 2 == 0 ? "realtime" : "batch"));
    }

    private static String onboard(Admin admin, ScriptedUpstream upstream) throws Exception {
        admin.tenant("acme");
        admin.model("acme", "m1");
        admin.pool("acme", "main", upstream.baseUrl(), "m1");
        admin.make(
                "putScenario",
                "",
                input(
                        "tenantId",
                        "acme",
                        "name",
                        "support",
                        "sensitivity",
                        "CREATIVE",
                        "kind",
                        "READ",
                        "deadline",
                        "PT30S",
                        "ladder",
                        List.of(Map.of("name", "normal", "pool", "main"))));
        return admin.make(
                        "createApiKey", "key", input("tenantId", "acme", "appId", "app", "defaultScenario", "support"))
                .get("key")
                .asText();
    }
}
