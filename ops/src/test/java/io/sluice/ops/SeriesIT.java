package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever callers make up, the metrics of the whole product stay as many as they were. */
@Timeout(300)
class SeriesIT {
    private static final int REQUESTS = 10_000;

    /** Enough for every kind of request to have been counted once. */
    private static final int FIRST_REQUESTS = 200;

    private static final long SEED = 9;

    @TempDir
    Path directory;

    @Test
    void randomModelsPathsAndHeadersMakeNoSeries() throws Exception {
        try (SluiceProcess sluice = SluiceProcess.up(directory.resolve("data"), "--empty")) {
            Admin root = new Admin(sluice, sluice.shownToken());
            root.tenant("acme");
            root.model("acme", "small");
            root.pool("acme", "main", "http://127.0.0.1:9999/v1", "small");
            root.make("putScenario", "", scenario());
            String key = root.make(
                            "createApiKey",
                            "key",
                            input("tenantId", "acme", "appId", "app", "defaultScenario", "support"))
                    .get("key")
                    .asText();
            send(sluice, key, FIRST_REQUESTS);
            Set<String> before = series(sluice);

            send(sluice, key, REQUESTS);

            assertThat(series(sluice)).isEqualTo(before).noneMatch(name -> name.contains("junk"));
        }
    }

    private static Map<String, Object> scenario() {
        return input(
                "tenantId",
                "acme",
                "name",
                "support",
                "sensitivity",
                "CREATIVE",
                "kind",
                "READ",
                "ladder",
                List.of(Map.of("name", "normal", "pool", "main")));
    }

    private static void send(SluiceProcess sluice, String key, int requests) throws Exception {
        Random random = new Random(SEED);
        String apps = sluice.fact("Apps");
        String management = sluice.management();
        ExecutorService senders = Executors.newFixedThreadPool(8);
        List<Future<Integer>> statuses = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            String junk = "junk" + Long.toHexString(random.nextLong());
            HttpRequest request = switch (i % 4) {
                case 0 ->
                    SluiceProcess.chat(
                            apps + "/chat/completions",
                            key,
                            "{\"model\":\"" + junk + "\",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}");
                case 1 -> get(apps + "/" + junk, key, junk);
                case 2 -> get(management + "/" + junk, key, junk);
                default -> get(apps + "/models", key, junk);
            };
            statuses.add(senders.submit(() -> sluice.send(request).statusCode()));
        }
        senders.shutdown();
        for (int i = 0; i < requests; i++) {
            assertThat(statuses.get(i).get()).isEqualTo(i % 4 == 3 ? 200 : 404);
        }
    }

    private static HttpRequest get(String url, String key, String junk) {
        return HttpRequest.newBuilder(URI.create(url))
                .header("authorization", "Bearer " + key)
                .header("x-tenant", junk)
                .header("x-end-user", junk)
                .header("x-session-id", junk)
                .build();
    }

    /** Names and labels, without the values. */
    private static Set<String> series(SluiceProcess sluice) throws Exception {
        return sluice.get(sluice.management() + "/metrics")
                .body()
                .lines()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .collect(Collectors.toSet());
    }
}
