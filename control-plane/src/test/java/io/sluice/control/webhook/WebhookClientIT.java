package io.sluice.control.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.net.AddressRule;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerResponse;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebhookClientIT {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final byte[] PUBLIC = {8, 8, 8, 8};

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger calls = new AtomicInteger();
    private final Alert alert =
            new Alert(new Alert.Key(new TenantId("acme"), "ops", "evt_1"), "a cap", "threshold", NOON, NOON, "{}");
    private HttpServer receiver;

    @BeforeEach
    void start() throws Exception {
        receiver = await(vertx.createHttpServer()
                .requestHandler(request -> {
                    calls.incrementAndGet();
                    HttpServerResponse response = request.response();
                    if (request.path().equals("/endless")) {
                        response.setChunked(true).setStatusCode(200);
                        vertx.setPeriodic(1, timer -> {
                            if (response.closed()) {
                                vertx.cancelTimer(timer);
                            } else {
                                response.write(Buffer.buffer(new byte[65_536]));
                            }
                        });
                    } else if (request.path().equals("/moved")) {
                        response.setStatusCode(307)
                                .putHeader("location", "/other")
                                .end();
                    } else {
                        response.setStatusCode(204).end();
                    }
                })
                .listen(0, "127.0.0.1"));
    }

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
    }

    private String url(String host, String path) {
        return "http://" + host + ":" + receiver.actualPort() + path;
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private int post(WebhookClient client, String url) throws Exception {
        return await(client.post(url, "a secret of finance", alert, NOON));
    }

    @Test
    void aRedirectIsAnAnswerAndNotFollowed() throws Exception {
        WebhookClient client = new WebhookClient(vertx, AddressRule.WITH_LOOPBACK);
        assertThat(post(client, url("127.0.0.1", "/moved"))).isEqualTo(307);
        assertThat(calls).hasValue(1);
    }

    @Test
    void anEndlessAnswerIsCutAfterItsStatus() throws Exception {
        WebhookClient client = new WebhookClient(vertx, AddressRule.WITH_LOOPBACK);
        assertThat(post(client, url("127.0.0.1", "/endless"))).isEqualTo(200);
    }

    @Test
    void aNameThatHasBecomeAPrivateAddressIsNotConnectedTo() {
        AddressRule rule = new AddressRule(true, Set.of());
        WebhookClient client =
                new WebhookClient(vertx, rule, host -> new InetAddress[] {InetAddress.getByAddress(host, LOOPBACK)});

        assertThatThrownBy(() -> post(client, "https://hooks.example.com:" + receiver.actualPort() + "/"))
                .hasMessageContaining("is a loopback address");
        assertThat(calls).hasValue(0);
    }

    @Test
    void oneForbiddenAddressAmongOthersIsEnoughToRefuse() {
        WebhookClient client = new WebhookClient(vertx, AddressRule.WITH_LOOPBACK, host ->
                new InetAddress[] {InetAddress.getByAddress(host, PUBLIC), InetAddress.getByAddress(host, LOOPBACK)});
        assertThatThrownBy(() -> post(client, "https://hooks.example.com/"))
                .hasMessageContaining("is a loopback address");
    }

    @Test
    void aNameThatThePlatformAllowsMayBePrivateAndPlain() throws Exception {
        AddressRule rule = new AddressRule(false, Set.of("hooks.internal"));
        WebhookClient client =
                new WebhookClient(vertx, rule, host -> new InetAddress[] {InetAddress.getByAddress(host, LOOPBACK)});
        assertThat(post(client, url("hooks.internal", "/"))).isEqualTo(204);
    }

    @Test
    void aRuleThatBecameStricterHoldsForWebhooksFromBefore() {
        WebhookClient client = new WebhookClient(vertx, AddressRule.PUBLIC_ONLY);
        assertThatThrownBy(() -> post(client, url("127.0.0.1", "/"))).hasMessageContaining("is a loopback address");
        assertThat(calls).hasValue(0);
    }
}
