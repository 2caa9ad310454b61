package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many callers send the same named requests while the process is killed: each is called once, or once more where it only reads
 * and nobody knew how the first call ended; all who are answered get the same bytes. What writes is not called again, also where
 * the process was killed just before it called.
 */
@Timeout(300)
class IdempotencyKillIT {
    private static final int CALLERS = 100;
    private static final int KEYS = 50;

    /** The upstream answers so many calls; later ones are on their way when the process is killed. */
    private static final int ANSWERED_BEFORE = 20;

    /** Callers meet a process that is gone or not yet there again. */
    private static final long AGAIN_MS = 50;

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final AtomicInteger allCalls = new AtomicInteger();
    private final CountDownLatch aReadIsOnItsWay = new CountDownLatch(1);
    private final CountDownLatch aWriteIsOnItsWay = new CountDownLatch(1);
    private final CountDownLatch killed = new CountDownLatch(1);
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private volatile String address = "";
    private volatile String key = "";

    /** What callers were told under one key. */
    private record Told(Set<String> answers, AtomicInteger unknown) {
        Told() {
            this(ConcurrentHashMap.newKeySet(), new AtomicInteger());
        }
    }

    private final Map<String, Told> told = new ConcurrentHashMap<>();

    @Test
    void oneCallPerKeyOverAKillAndTheSameBytesForAll() throws Exception {
        Path data = directory.resolve("data");
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try (ScriptedUpstream upstream = ScriptedUpstream.playing(this::play)) {
            List<Future<?>> running = new ArrayList<>();
            try (SluiceProcess sluice = SluiceProcess.up(data, "--empty")) {
                onboard(new Admin(sluice, sluice.shownToken()), upstream);
                for (int i = 0; i < CALLERS; i++) {
                    int caller = i;
                    running.add(callers.submit(() -> callAll(new Random(caller))));
                }
                assertThat(aReadIsOnItsWay.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(aWriteIsOnItsWay.await(60, TimeUnit.SECONDS)).isTrue();
            }
            killed.countDown();
            try (SluiceProcess again = SluiceProcess.up(data, "--empty")) {
                address = again.fact("Apps");
                for (Future<?> each : running) {
                    each.get();
                }
            }
        } finally {
            callers.shutdownNow();
        }
        checkReads();
        checkWrites();
    }

    private void play(ScriptedUpstream.Request request, ScriptedUpstream.Wire wire)
            throws IOException, InterruptedException {
        String name = JSON.readTree(request.body()).at("/messages/0/content").asText();
        int ofKey = calls.computeIfAbsent(name, made -> new AtomicInteger()).incrementAndGet();
        int n = allCalls.incrementAndGet();
        if (n > ANSWERED_BEFORE && killed.getCount() > 0) {
            (writes(name) ? aWriteIsOnItsWay : aReadIsOnItsWay).countDown();
            killed.await(60, TimeUnit.SECONDS);
        }
        wire.json(200, Sse.whole(name + ", call " + ofKey + " of its key, " + n + " of all", 5, 9));
    }

    private static boolean writes(String name) {
        return name.startsWith("write");
    }

    private void onboard(Admin admin, ScriptedUpstream upstream) throws Exception {
        admin.tenant("acme");
        admin.model("acme", "m1");
        admin.pool("acme", "main", upstream.baseUrl(), "m1");
        for (String kind : List.of("READ", "WRITE")) {
            admin.make(
                    "putScenario",
                    "",
                    input(
                            "tenantId",
                            "acme",
                            "name",
                            kind,
                            "sensitivity",
                            "CREATIVE",
                            "kind",
                            kind,
                            "deadline",
                            "PT1M",
                            "ladder",
                            List.of(Map.of("name", "normal", "pool", "main"))));
        }
        key = admin.make("createApiKey", "key", input("tenantId", "acme", "appId", "app"))
                .get("key")
                .asText();
        address = admin.sluice().fact("Apps");
    }

    /** Every key once, each until it is answered or refused for good. */
    private Void callAll(Random random) throws Exception {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            names.add((i % 2 == 0 ? "read-" : "write-") + i);
        }
        Collections.shuffle(names, random);
        for (String name : names) {
            while (!call(name, told.computeIfAbsent(name, made -> new Told()))) {
                Thread.sleep(AGAIN_MS);
            }
        }
        return null;
    }

    /** Whether there is nothing more to ask. */
    private boolean call(String name, Told of) throws InterruptedException {
        HttpResponse<String> answer;
        try {
            answer = http.send(request(name), HttpResponse.BodyHandlers.ofString());
        } catch (IOException processIsGone) {
            return false;
        }
        if (answer.statusCode() == 200) {
            of.answers().add(answer.body());
            return true;
        }
        String code = code(answer.body());
        assertThat(code)
                .as("what %s was told: %s", name, answer.body())
                .isIn("outcome_unknown", "request_in_flight", "not_ready");
        if (code.equals("outcome_unknown")) {
            of.unknown().incrementAndGet();
        }
        return code.equals("outcome_unknown");
    }

    private HttpRequest request(String name) {
        return HttpRequest.newBuilder(URI.create(address + "/chat/completions"))
                .timeout(Duration.ofMinutes(2))
                .header("authorization", "Bearer " + key)
                .header("content-type", "application/json")
                .header("idempotency-key", "key-of-" + name)
                .header("x-business-scenario", writes(name) ? "WRITE" : "READ")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"" + name + "\"}]}"))
                .build();
    }

    private static String code(String body) {
        try {
            JsonNode error = JSON.readTree(body).path("error");
            return error.path("code").asText();
        } catch (IOException notJson) {
            throw new AssertionError(body, notJson);
        }
    }

    private void checkReads() {
        int again = 0;
        for (int i = 0; i < KEYS; i += 2) {
            String name = "read-" + i;
            int times = calls.get(name).get();
            assertThat(times).as("calls of %s", name).isBetween(1, 2);
            assertThat(told.get(name).answers()).as("answers to %s", name).hasSize(1);
            assertThat(told.get(name).unknown()).as("refusals of %s", name).hasValue(0);
            again += times - 1;
        }
        assertThat(again).as("reads whose first call was lost").isPositive();
    }

    private void checkWrites() {
        int unknown = 0;
        for (int i = 1; i < KEYS; i += 2) {
            String name = "write-" + i;
            Told of = told.get(name);
            int times = calls.getOrDefault(name, new AtomicInteger()).get();
            assertThat(times).as("calls of %s", name).isLessThanOrEqualTo(1);
            if (of.unknown().get() > 0) {
                unknown++;
                assertThat(of.answers())
                        .as("answers to %s, whose outcome is unknown", name)
                        .isEmpty();
                assertThat(of.unknown()).as("callers of %s", name).hasValue(CALLERS);
            } else {
                assertThat(times).as("calls of %s, which was answered", name).isEqualTo(1);
                assertThat(of.answers()).as("answers to %s", name).hasSize(1);
            }
        }
        assertThat(unknown).as("writes whose outcome is unknown").isPositive();
    }
}
