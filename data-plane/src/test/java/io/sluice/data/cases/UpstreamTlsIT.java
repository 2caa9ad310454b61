package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.failure.FailureClass;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Row 84 of the bad-input catalogue: a certificate that proves nothing is not believed, and nothing is sent to its server. */
class UpstreamTlsIT {
    private static final String PASSWORD = "changeit";

    /** Self-signed for the right host, self-signed for another host, expired. */
    @ParameterizedTest
    @CsvSource({"ip:127.0.0.1,0", "dns:other.example,0", "ip:127.0.0.1,-30"})
    void row84ACertificateThatNobodyVouchesForEndsTheCall(String subject, int startDays, @TempDir Path directory)
            throws Exception {
        AtomicInteger requests = new AtomicInteger();
        Vertx vertx = Vertx.vertx();
        HttpServer server = vertx.createHttpServer(new HttpServerOptions()
                        .setSsl(true)
                        .setKeyCertOptions(new PfxOptions()
                                .setPath(certificate(directory, subject, startDays))
                                .setPassword(PASSWORD)))
                .requestHandler(request -> {
                    requests.incrementAndGet();
                    request.response()
                            .putHeader("content-type", "application/json")
                            .end(Sse.whole("hi", 1, 1));
                });
        server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        try (ScriptedUpstream unused = ScriptedUpstream.answering(500, "{}");
                TestGateway gateway = TestGateway.start(behindTls(TestConfig.pool(unused), server.actualPort()))) {
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(answer.status()).as(answer.body()).isEqualTo(502);
            AttemptRecord attempt = gateway.decision(answer).attempts().get(0);
            assertThat(attempt.failure()).isEqualTo(FailureClass.NETWORK);
            assertThat(attempt.detail()).startsWith("upstream_tls");
            assertThat(requests).hasValue(0);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        }
    }

    private static Configuration behindTls(Configuration plain, int port) {
        TenantTree tenant = plain.tenants().get(TestConfig.T1);
        Catalog catalog = tenant.catalog()
                .with(new ProviderConfig(
                        new ScopedId(TestConfig.T1, "up1"),
                        1,
                        "openai",
                        "https://127.0.0.1:" + port + "/v1",
                        new CredentialRef.Env("UNUSED"),
                        null,
                        null,
                        null,
                        Map.of()));
        return plain.with(tenant.with(catalog));
    }

    /** A key store made by the JDK's own tool. */
    private static String certificate(Path directory, String subject, int startDays)
            throws IOException, InterruptedException {
        Path store = directory.resolve("upstream.p12");
        Process tool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "upstream",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=upstream",
                        "-ext",
                        "san=" + subject,
                        "-startdate",
                        (startDays < 0 ? "" : "+") + startDays + "d",
                        "-validity",
                        "10",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString()))
                .redirectErrorStream(true)
                .start();
        assertThat(tool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(tool.exitValue()).isZero();
        assertThat(Files.exists(store)).isTrue();
        return store.toString();
    }
}
