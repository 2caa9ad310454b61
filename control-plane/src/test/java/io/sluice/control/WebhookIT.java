package io.sluice.control;

import static io.sluice.control.Running.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.AuditEntry;
import io.sluice.control.api.CommandOutcome;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.PutWebhook;
import io.sluice.control.api.ConfigCommand.RemoveWebhook;
import io.sluice.control.api.ConfigCommand.SetProviderBalance;
import io.sluice.control.api.ConfigCommand.SetSpendCap;
import io.sluice.control.api.Principal;
import io.sluice.control.config.Given;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.ledger.SpendTally;
import io.sluice.tenants.message.BusMessage.CapsPublished;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.message.BusMessage.SpendStored;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finance's program hears of the tenant's money, through a whole control plane. The tenant lives in Berlin; a cap is 100 a day. */
class WebhookIT {
    private static final TenantId ACME = new TenantId("acme");
    private static final Principal FINANCE = new Principal(Role.FINANCE, ACME, "ann");
    private static final AccountKey TODAY =
            new AccountKey(ACME, "day-tenant", Period.of(CapPeriod.DAY, LocalDate.of(2026, 11, 30)));

    @TempDir
    Path directory;

    private volatile Instant now = Instant.parse("2026-11-30T12:00:00Z");
    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<Posted> posted = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> statuses = new LinkedBlockingQueue<>();
    private HttpServer receiver;
    private Running running;

    private record Posted(String path, String event, String timestamp, String signature, String body) {
        JsonNode json() {
            return Given.json(body);
        }
    }

    @BeforeEach
    void start() {
        receiver = await(vertx.createHttpServer()
                .requestHandler(request -> request.body().onSuccess(body -> {
                    posted.add(new Posted(
                            request.path(),
                            request.getHeader("x-sluice-event"),
                            request.getHeader("x-sluice-timestamp"),
                            request.getHeader("x-sluice-signature"),
                            body.toString()));
                    Integer status = statuses.poll();
                    request.response()
                            .setStatusCode(status == null ? 204 : status)
                            .putHeader("location", "/elsewhere")
                            .end();
                }))
                .listen(0, "127.0.0.1"));
        running = started();
        Given.acmeCommands("acme").forEach(running::execute);
        execute(new SetSpendCap("acme", "TENANT", null, "DAY", "100", 0.7, 0.9, "REFUSE", null));
    }

    @AfterEach
    void stop() {
        running.close();
        await(vertx.close());
    }

    private Running started() {
        ControlPlaneSettings settings = Running.settings(directory, Running.ADMIN_TOKEN, null);
        return new Running(new ControlPlaneSettings(
                settings.dataDir(),
                settings.secretKey(),
                settings.adminToken(),
                settings.upstreams(),
                settings.plugins(),
                settings.faults(),
                settings.nodeId(),
                settings.roles(),
                () -> now));
    }

    private void restart() {
        running.close();
        running = started();
    }

    private CommandOutcome execute(ConfigCommand command) {
        CommandOutcome outcome = running.execute(FINANCE, command);
        assertThat(outcome.errors()).isEmpty();
        return outcome;
    }

    /** The secret that signs. */
    private String webhook() {
        return execute(new PutWebhook(
                        "acme",
                        "ops",
                        null,
                        "http://127.0.0.1:" + receiver.actualPort() + "/money",
                        null,
                        List.of(0.5, 0.9),
                        true))
                .secret();
    }

    private void spent(long dollars) {
        CapFigures figures = new CapFigures(
                TODAY,
                1,
                Set.of(),
                true,
                false,
                100_000_000,
                0,
                dollars * 1_000_000,
                dollars * 1_000_000,
                0,
                0,
                Set.of(),
                Instant.parse("2026-11-29T23:00:00Z"),
                Instant.parse("2026-11-30T23:00:00Z"),
                now);
        new Bus(running.vertx).publish(Address.CAPS, new CapsPublished(List.of(figures), now));
    }

    private Posted next() throws InterruptedException {
        Posted next = posted.poll(30, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    /** The next one, while the clock runs by {@code step} every tenth of a second: when an answer is judged is not ours to see. */
    private Posted later(Duration step) throws InterruptedException {
        Posted next = null;
        for (int i = 0; next == null && i < 300; i++) {
            now = now.plus(step);
            next = posted.poll(100, TimeUnit.MILLISECONDS);
        }
        assertThat(next).isNotNull();
        return next;
    }

    private static void eventually(BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(until);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private List<AuditEntry> audit(String action) {
        return await(running.plane.audit(ACME, Set.of(action), 50, null)).entries();
    }

    private static String hmac(String secret, String text) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void eachThresholdIsPostedOnceAndSigned() throws Exception {
        String secret = webhook();
        spent(55);
        Posted first = next();
        spent(65);
        spent(69);
        spent(92);
        Posted second = next();
        Posted third = next();

        assertThat(first.path()).isEqualTo("/money");
        assertThat(first.signature()).isEqualTo("v1=" + hmac(secret, first.timestamp() + "." + first.body()));
        assertThat(first.timestamp()).isEqualTo(Long.toString(now.getEpochSecond()));
        JsonNode event = first.json();
        assertThat(event.path("id").asText()).isEqualTo(first.event()).startsWith("evt_");
        assertThat(event.path("type").asText()).isEqualTo("cap.threshold");
        assertThat(event.path("at").asText()).isEqualTo("2026-11-30T12:00:00Z");
        assertThat(event.path("tenant").asText()).isEqualTo("acme");
        assertThat(event.path("cap").asText()).isEqualTo("day-tenant");
        assertThat(event.path("period").asText()).isEqualTo("2026-11-30");
        assertThat(event.path("threshold").decimalValue()).isEqualByComparingTo("0.5");
        assertThat(event.path("spent").asText()).isEqualTo("55");
        assertThat(event.path("limit").asText()).isEqualTo("100");
        assertThat(event.path("currency").asText()).isEqualTo("USD");
        assertThat(event.path("band").asText()).isEqualTo("NORMAL");
        assertThat(event.has("forecast")).isTrue();
        assertThat(List.of(
                        second.json().path("type").asText(),
                        third.json().path("type").asText()))
                .containsExactly("cap.threshold", "cap.band");
        assertThat(second.json().path("threshold").decimalValue()).isEqualByComparingTo("0.9");
        assertThat(third.json().path("band").asText()).isEqualTo("RESTRICT");
        assertThat(posted).isEmpty();
    }

    @Test
    void whatIsNotConfirmedIsPostedAgainAlsoAfterARestartAndARedirectConfirmsNothing() throws Exception {
        webhook();
        statuses.addAll(List.of(500, 307));
        spent(50);
        Posted refused = next();
        Posted redirected = later(Duration.ofSeconds(5));
        restart();
        Posted confirmed = later(Duration.ofSeconds(5));
        spent(60);
        spent(91);
        Posted reached = next();

        assertThat(redirected.event()).isEqualTo(refused.event());
        assertThat(confirmed.event()).isEqualTo(refused.event());
        assertThat(confirmed.body()).isEqualTo(refused.body());
        assertThat(confirmed.timestamp()).isNotEqualTo(refused.timestamp());
        assertThat(confirmed.path()).isEqualTo("/money");
        assertThat(reached.json().path("threshold").decimalValue()).isEqualByComparingTo("0.9");
    }

    @Test
    void afterADayAnEventIsGivenUpAndNoted() throws Exception {
        webhook();
        statuses.addAll(Collections.nCopies(1_000, 503));
        spent(50);
        Posted first = next();
        eventually(() -> {
            now = now.plus(Duration.ofHours(1));
            return !audit("webhookGivenUp").isEmpty();
        });

        AuditEntry noted = audit("webhookGivenUp").get(0);
        assertThat(noted.subject()).isEqualTo("webhook/ops");
        assertThat(noted.detail().path("event").asText()).isEqualTo(first.event());
        assertThat(noted.detail().path("attempts").asInt()).isPositive();
        assertThat(noted.detail().path("why").asText()).isEqualTo("status 503");
    }

    @Test
    void whatIsUnderWayToARemovedWebhookIsDropped() throws Exception {
        webhook();
        statuses.add(500);
        spent(50);
        next();
        execute(new RemoveWebhook("acme", "ops", 1));
        execute(new PutWebhook(
                "acme",
                "other",
                null,
                "http://127.0.0.1:" + receiver.actualPort() + "/other",
                null,
                List.of(0.5),
                true));
        spent(51);

        assertThat(later(Duration.ofSeconds(5)).path()).isEqualTo("/other");
    }

    @Test
    void neitherSecretNorPathOfAWebhookIsInTheAuditLog() {
        webhook();
        execute(new PutWebhook(
                "acme", "own", null, "https://hooks.example.com/T1/token", "finance's-own-secret", List.of(), true));

        assertThat(audit("putWebhook"))
                .hasSize(2)
                .extracting(entry -> entry.detail().path("input").toString())
                .noneMatch(input -> input.contains("finance's-own-secret") || input.contains("token"))
                .anyMatch(input -> input.contains("https://hooks.example.com/***"));
    }

    @Test
    void anAccountThatRunsOutIsToldOnceToTheWebhookAndTheAuditLog() throws Exception {
        webhook();
        execute(new SetProviderBalance("acme", "sim", "100", "2026-11-29T12:00:00Z"));
        execute(new SetProviderBalance("acme", "sim", "90", "2026-11-29T12:00:00Z"));
        SpendFacts.Charge charge = new SpendFacts.Charge(
                "first", "sim", "small", new TokenUsage(10, 0, 0, 10, 0, false), Money.of("30"), "v");
        SpendFacts facts = new SpendFacts(
                "r", "0".repeat(32), Instant.parse("2026-11-30T09:00:00Z"), ACME, "web", "chat", null, List.of(charge));
        SpendTally tally = new SpendTally();
        tally.add(1, facts);
        await(new Bus(running.vertx)
                .request(
                        Address.SPEND,
                        SpendShipped.of("node-1", 7, 0, 1, tally),
                        SpendStored.class,
                        Duration.ofSeconds(10)));
        restart();
        Posted warned = next();
        eventually(() -> !audit("balanceLow").isEmpty());
        restart();
        spent(50);
        Posted other = next();

        JsonNode event = warned.json();
        assertThat(event.path("type").asText()).isEqualTo("balance.low");
        assertThat(event.path("provider").asText()).isEqualTo("sim");
        assertThat(event.path("left").asText()).isEqualTo("60");
        assertThat(event.path("burnPerDay").asText()).isEqualTo("30");
        assertThat(event.path("runsOutAt").asText()).isEqualTo("2026-12-02T12:00:00Z");
        assertThat(audit("balanceLow")).singleElement().satisfies(entry -> {
            assertThat(entry.subject()).isEqualTo("provider/sim");
            assertThat(entry.detail().path("left").asText()).isEqualTo("60");
        });
        assertThat(other.json().path("type").asText()).isEqualTo("cap.threshold");
        assertThat(await(running.plane.balances(ACME))).singleElement().satisfies(standing -> {
            assertThat(standing.low()).isTrue();
            assertThat(standing.version()).isEqualTo(2);
        });
    }
}
