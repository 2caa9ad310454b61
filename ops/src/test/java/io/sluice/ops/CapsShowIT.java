package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cap of one dollar holds while 300 callers spend at once, three in ten of them leave, and the process is killed twice: the
 * provider, which keeps its own bill, charges no more. What was answered in full is in the books to the micro-unit.
 */
@Timeout(600)
class CapsShowIT {
    private static final int CALLERS = 300;
    private static final int TOKENS_MAX = 1_000;
    private static final int PROMPT_TOKENS = 10;

    /** At $1 and $2 per million tokens a token costs one and two micro-units. */
    private static final int OUTPUT_MICROS = 2;

    private static final long CAP_MICROS = 1_000_000;

    /** More than the worst case of one request: its bytes as tokens, and the longest answer. */
    private static final long ESTIMATE_MICROS_MAX = 5_000;

    /** The process is killed when the provider has begun so many answers. */
    private static final int[] KILLED_AFTER = {150, 400};

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final AtomicLong billMicros = new AtomicLong();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger playing = new AtomicInteger();
    private volatile String address = "";
    private volatile boolean over;

    private void play(ScriptedUpstream.Request request, ScriptedUpstream.Wire wire)
            throws IOException, InterruptedException {
        if (!request.line().contains("/chat/completions")) {
            wire.json(200, "{\"data\":[]}"); // the list of models keeps the connection warm and costs nothing
            return;
        }
        playing.incrementAndGet();
        try {
            answer(request, wire);
        } finally {
            playing.decrementAndGet();
        }
    }

    /** Streams as many tokens as it likes, up to what it was allowed, and charges what it has sent. */
    private void answer(ScriptedUpstream.Request request, ScriptedUpstream.Wire wire)
            throws IOException, InterruptedException {
        int n = begun.incrementAndGet();
        JsonNode body = JSON.readTree(request.body());
        int allowed = body.has("max_completion_tokens")
                ? body.path("max_completion_tokens").asInt()
                : body.path("max_tokens").asInt(1 << 20);
        int tokens = Math.min(allowed, 1 + new Random(n).nextInt(TOKENS_MAX));
        billMicros.addAndGet(PROMPT_TOKENS);
        if (!body.path("stream").asBoolean()) {
            Thread.sleep(20);
            billMicros.addAndGet((long) tokens * OUTPUT_MICROS);
            wire.json(200, Sse.whole("x ".repeat(tokens), PROMPT_TOKENS, tokens));
            return;
        }
        wire.stream();
        int sent = 0;
        while (sent < tokens) {
            int some = Math.min(100, tokens - sent);
            wire.chunk(Sse.c("word ".repeat(some)));
            sent += some;
            billMicros.addAndGet((long) some * OUTPUT_MICROS);
            Thread.sleep(10);
        }
        wire.chunk(Sse.fin("stop") + Sse.use(PROMPT_TOKENS, tokens) + Sse.DONE).end();
    }

    @Test
    void aDollarIsADollar() throws Exception {
        Path data = directory.resolve("data");
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try (ScriptedUpstream upstream = ScriptedUpstream.playing(this::play)) {
            String token;
            String key;
            List<Future<?>> running = new ArrayList<>();
            try (SluiceProcess sluice = SluiceProcess.up(data, "--empty")) {
                token = sluice.shownToken();
                Admin admin = new Admin(sluice, token);
                key = onboard(admin, "acme", upstream);
                cap(admin, "acme", "1.00");
                address = sluice.fact("Apps");
                for (int i = 0; i < CALLERS; i++) {
                    int caller = i;
                    running.add(callers.submit(() -> spend(key, new Random(caller))));
                }
                waitForAnswers(KILLED_AFTER[0]);
            }
            try (SluiceProcess again = SluiceProcess.up(data, "--empty")) {
                address = again.fact("Apps");
                waitForAnswers(KILLED_AFTER[1]);
            }
            try (SluiceProcess last = SluiceProcess.up(data, "--empty")) {
                address = last.fact("Apps");
                for (Future<?> each : running) {
                    each.get();
                }
                Admin admin = new Admin(last, token);
                checkTheCap(spendTheRest(key, admin));
                checkTheBooks(admin, upstream);
            }
        } finally {
            over = true;
            callers.shutdownNow();
        }
    }

    private void waitForAnswers(int count) throws InterruptedException {
        for (int i = 0; i < 6_000 && begun.get() < count; i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(begun.get()).isGreaterThanOrEqualTo(count);
    }

    private static String onboard(Admin admin, String tenant, ScriptedUpstream upstream) throws Exception {
        admin.tenant(tenant);
        admin.make(
                "putModel",
                "",
                input("tenantId", tenant, "id", "m1", "contextWindow", 100_000, "maxOutputTokens", TOKENS_MAX));
        admin.make("putPrice", "", input("tenantId", tenant, "model", "m1", "inputPerMTok", "1", "outputPerMTok", "2"));
        admin.pool(tenant, "main", upstream.baseUrl(), "m1");
        admin.make(
                "putScenario",
                "",
                input(
                        "tenantId",
                        tenant,
                        "name",
                        "chat",
                        "sensitivity",
                        "CREATIVE",
                        "kind",
                        "READ",
                        "deadline",
                        "PT1M",
                        "ladder",
                        List.of(Map.of("name", "normal", "pool", "main"))));
        return admin.make("createApiKey", "key", input("tenantId", tenant, "appId", "app"))
                .get("key")
                .asText();
    }

    private static void cap(Admin admin, String tenant, String limit) throws Exception {
        String finance = admin.make(
                        "createAccessToken", "token", input("tenantId", tenant, "role", "FINANCE", "name", "finance"))
                .get("token")
                .asText();
        new Admin(admin.sluice(), finance)
                .make("setSpendCap", "", input("tenantId", tenant, "scope", "TENANT", "period", "DAY", "limit", limit));
    }

    /** Asks until the money is spent; three times in ten it leaves when the answer has begun. */
    private Void spend(String key, Random random) throws Exception {
        while (!over) {
            boolean leaves = random.nextInt(10) < 3;
            try {
                HttpResponse<InputStream> answer = http.send(
                        request(key, leaves || random.nextBoolean()), HttpResponse.BodyHandlers.ofInputStream());
                try (InputStream body = answer.body()) {
                    if (answer.statusCode() == 402) {
                        return null;
                    }
                    if (leaves) {
                        body.read();
                    } else {
                        body.readAllBytes();
                    }
                }
            } catch (IOException processIsGone) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
        return null;
    }

    /**
     * Spends until not even one request is covered. Who left a moment ago may hold something still, and what the administration
     * shows is some seconds old, so it asks again until both have come to rest, and the provider writes and charges nothing any more.
     *
     * @return the cap, as it is shown then
     */
    private JsonNode spendTheRest(String key, Admin admin) throws Exception {
        JsonNode cap = cap(admin);
        for (int i = 0; i < 300; i++) {
            askUntilRefused(key);
            cap = cap(admin);
            if (playing.get() == 0
                    && micros(cap.path("held")) == 0
                    && CAP_MICROS - micros(cap.path("spent")) < ESTIMATE_MICROS_MAX) {
                return cap;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return cap;
    }

    private void askUntilRefused(String key) throws Exception {
        HttpResponse<String> answer;
        do {
            answer = http.send(request(key, false), HttpResponse.BodyHandlers.ofString());
        } while (answer.statusCode() == 200);
        JsonNode error = JSON.readTree(answer.body()).path("error");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(402);
        assertThat(error.path("code").asText()).isEqualTo("budget_exhausted");
        assertThat(error.path("message").asText())
                .contains("the day cap of the tenant")
                .contains("begins anew at");
        assertThat(answer.headers().firstValue("x-should-retry")).contains("false");
    }

    private HttpRequest request(String key, boolean streamed) {
        return HttpRequest.newBuilder(URI.create(address + "/chat/completions"))
                .timeout(Duration.ofMinutes(2))
                .header("authorization", "Bearer " + key)
                .header("content-type", "application/json")
                .header("x-business-scenario", "chat")
                .POST(HttpRequest.BodyPublishers.ofString("{\"model\":\"auto\",\"stream\":" + streamed
                        + ",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"))
                .build();
    }

    private static long micros(JsonNode amount) {
        return new BigDecimal(amount.asText()).movePointRight(6).longValueExact();
    }

    private static JsonNode cap(Admin admin) throws Exception {
        return admin.ask("{tenant(id:\"acme\"){spendCaps{spent held limit band}}}")
                .at("/tenant/spendCaps/0");
    }

    private void checkTheCap(JsonNode cap) {
        assertThat(micros(cap.path("held")))
                .as("held when nobody asks any more")
                .isZero();
        long spent = micros(cap.path("spent"));
        assertThat(billMicros.get()).as("the provider's bill").isLessThanOrEqualTo(CAP_MICROS);
        assertThat(spent).as("spent, by the books").isBetween(billMicros.get() - CAP_MICROS / 100, CAP_MICROS);
        assertThat(CAP_MICROS - spent).as("left when requests are refused").isLessThan(ESTIMATE_MICROS_MAX);
    }

    /** Another tenant, none of whose callers leaves, pays what the provider charges. */
    private void checkTheBooks(Admin admin, ScriptedUpstream upstream) throws Exception {
        String key = onboard(admin, "exact", upstream);
        cap(admin, "exact", "10");
        billMicros.set(0);
        ExecutorService few = Executors.newFixedThreadPool(8);
        List<Future<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            boolean streamed = i % 2 == 0;
            answers.add(few.submit(() -> http.send(request(key, streamed), HttpResponse.BodyHandlers.ofString())));
        }
        for (Future<HttpResponse<String>> each : answers) {
            assertThat(each.get().statusCode()).isEqualTo(200);
        }
        few.shutdown();
        LocalDate today = LocalDate.now(ZoneId.of("Europe/Berlin"));
        String query = "{spend(tenantId:\"exact\",from:\"" + today.minusDays(1) + "\",to:\"" + today.plusDays(1)
                + "\",groupBy:[APP]){total rows{requests cost}}}";
        JsonNode report = admin.ask(query).path("spend");
        for (int i = 0; i < 1_000 && report.at("/rows/0/requests").asInt() < 60; i++) {
            TimeUnit.MILLISECONDS.sleep(10);
            report = admin.ask(query).path("spend");
        }
        assertThat(report.at("/rows/0/requests").asInt()).isEqualTo(60);
        assertThat(micros(report.path("total"))).isEqualTo(billMicros.get());
    }
}
