package io.sluice.ops;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Callers who know nothing of each other: request after request at a fixed rate, whatever became of the earlier ones. */
final class OpenLoad {
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    private OpenLoad() {}

    /**
     * One request and its answer.
     *
     * @param number from 0
     * @param sentMs since the first one of the load was due
     * @param tookMs until the whole answer was there
     */
    record Call(int number, long sentMs, double tookMs, HttpResponse<String> answer) {
        int status() {
            return answer.statusCode();
        }

        long endedMs() {
            return sentMs + Math.round(tookMs);
        }

        String header(String name) {
            return answer.headers().firstValue(name).orElse("");
        }
    }

    /** Sends so many; returns all calls in the order of their sending once the last answer is there. */
    static List<Call> send(double perSecond, int requests, IntFunction<HttpRequest> request)
            throws InterruptedException {
        List<CompletableFuture<Call>> sent = new ArrayList<>(requests);
        long startNs = System.nanoTime();
        for (int i = 0; i < requests; i++) {
            TimeUnit.NANOSECONDS.sleep(startNs + Math.round(i * 1e9 / perSecond) - System.nanoTime());
            int number = i;
            long sentNs = System.nanoTime();
            sent.add(HTTP.sendAsync(request.apply(i), HttpResponse.BodyHandlers.ofString())
                    .thenApply(answer -> new Call(
                            number,
                            TimeUnit.NANOSECONDS.toMillis(sentNs - startNs),
                            (System.nanoTime() - sentNs) / 1e6,
                            answer)));
        }
        return sent.stream().map(CompletableFuture::join).toList();
    }

    /** The least of {@code values} below or at which {@code share} of them are; 0 where there are none. */
    static double quantile(double share, List<Call> calls) {
        double[] sorted = calls.stream().mapToDouble(Call::tookMs).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(share * sorted.length) - 1];
    }
}
