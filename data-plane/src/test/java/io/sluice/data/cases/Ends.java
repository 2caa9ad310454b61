package io.sluice.data.cases;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.pool.BreakerSettings;
import io.sluice.plugins.bus.Address;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.sluice.tenants.message.BusMessage.FindDecisions;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** What the cases about ends of requests share: that nothing is held, whole lists of decisions, raw streams, many callers. */
final class Ends {
    /** A breaker that never opens, for cases in which failures are the point. */
    static final BreakerSettings NEVER = new BreakerSettings(60_000, 1, 1_000_000, 64, 1, 1_000_000, 1_000, 3);

    private Ends() {}

    /** Waits until no request runs, no permit is taken, and no upstream socket is open beyond {@code idleMax}. */
    static void nothingIsHeld(TestGateway gateway, long idleMax, ScriptedUpstream... upstreams) {
        TestGateway.eventually("no permit is taken", () -> gateway.metric("sluice_attempts_running") == 0);
        TestGateway.eventually("no request runs", () -> gateway.metric("sluice_requests_running") == 0);
        for (ScriptedUpstream upstream : upstreams) {
            TestGateway.eventually("sockets are closed", () -> upstream.openConnections() <= idleMax);
        }
    }

    /** All decisions of tenant T1, newest first, as soon as nothing runs: a request is settled only after its caller was answered. */
    static List<DecisionRecord> decisions(TestGateway gateway) {
        TestGateway.eventually("nothing runs", () -> gateway.metric("sluice_requests_running") == 0);
        return decisionsSoFar(gateway);
    }

    /** The decisions of those requests of tenant T1 that are settled already, newest first. */
    static List<DecisionRecord> decisionsSoFar(TestGateway gateway) {
        List<DecisionRecord> all = new ArrayList<>();
        String after = null;
        do {
            FindDecisions query = new FindDecisions(TestConfig.T1, null, null, null, null, null, after, 1_000);
            DecisionPage page = await(() -> gateway.bus()
                    .request(Address.decisions("node-test"), query, DecisionPage.class, Duration.ofSeconds(20))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS));
            all.addAll(page.records());
            after = page.next();
        } while (after != null);
        return all;
    }

    /** The one decision that was made. */
    static DecisionRecord decision(TestGateway gateway) {
        TestGateway.eventually(
                "a decision is recorded", () -> decisions(gateway).size() == 1);
        return decisions(gateway).get(0);
    }

    private static <T> T await(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    /** Sends a chat request on a new raw connection. */
    static Socket send(TestGateway gateway, String body, String... headers) throws IOException {
        Socket socket = gateway.client().connect(20_000);
        socket.getOutputStream().write(Client.rawChat(body, headers).getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        return socket;
    }

    /** Reads until {@code marker} has come; fails where the stream ends before. */
    static String readUntil(Socket socket, String marker) throws IOException {
        StringBuilder read = new StringBuilder();
        byte[] buffer = new byte[4_096];
        while (read.indexOf(marker) < 0) {
            int n = socket.getInputStream().read(buffer);
            if (n < 0) {
                throw new AssertionError("ended without " + marker + ": " + read);
            }
            read.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
        }
        return read.toString();
    }

    /** Closes with a TCP reset. */
    static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Runs {@code call} {@code times} times on {@code threads} threads and gives all results. */
    static <T> List<T> parallel(int threads, int times, Callable<T> call) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                futures.add(pool.submit(call));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get(60, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    /** The configuration with every provider of T1 changed. */
    static Configuration providers(Configuration configuration, UnaryOperator<ProviderConfig> change) {
        Catalog catalog = configuration.tenants().get(TestConfig.T1).catalog();
        for (ProviderConfig provider : List.copyOf(catalog.providers().values())) {
            catalog = catalog.with(change.apply(provider));
        }
        return configuration.with(TestConfig.T1, catalog);
    }

    /** The configuration whose model takes prompts of any length. */
    static Configuration wide(Configuration configuration) {
        Catalog catalog = configuration.tenants().get(TestConfig.T1).catalog();
        return configuration.with(
                TestConfig.T1, catalog.with(new ModelConfig(id("m1"), 2, 100_000_000, 16_384, true, true, true)));
    }

    /** The provider with at most {@code max} calls in flight. */
    static ProviderConfig limited(ProviderConfig provider, int max) {
        return new ProviderConfig(
                provider.id(),
                provider.version(),
                provider.plugin(),
                provider.baseUrl(),
                provider.credential(),
                provider.quotaGroup(),
                provider.region(),
                max,
                provider.settings());
    }

    /** The provider at another address. */
    static ProviderConfig at(ProviderConfig provider, String baseUrl) {
        return new ProviderConfig(
                provider.id(),
                provider.version(),
                provider.plugin(),
                baseUrl,
                provider.credential(),
                provider.quotaGroup(),
                provider.region(),
                provider.maxConcurrency(),
                provider.settings());
    }

    /** The provider spoken to through another plugin. */
    static ProviderConfig through(ProviderConfig provider, String plugin) {
        return new ProviderConfig(
                provider.id(),
                provider.version(),
                plugin,
                provider.baseUrl(),
                provider.credential(),
                provider.quotaGroup(),
                provider.region(),
                provider.maxConcurrency(),
                provider.settings());
    }

    /** The id of an object of T1. */
    static ScopedId id(String name) {
        return new ScopedId(TestConfig.T1, name);
    }
}
