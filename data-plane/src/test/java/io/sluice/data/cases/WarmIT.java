package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.BooleanNode;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.TenantTree;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Substitutes are kept warm, and nobody else is (requirement F5). */
class WarmIT {
    private static final ScriptedUpstream.Script WELL = (request, wire) ->
            wire.json(200, request.line().startsWith("GET") ? "{\"data\":[]}" : Sse.whole("hello", 3, 1));

    private static TestGateway.Options pingEvery(long idleMs) {
        return new TestGateway.Options().warmPingMs(idleMs);
    }

    @Test
    void anIdleSubstituteIsPingedAndTheRequestThatNeedsItFindsAConnection() {
        try (ScriptedUpstream primary = ScriptedUpstream.playing(WELL);
                ScriptedUpstream substitute = ScriptedUpstream.playing(WELL);
                TestGateway gateway = TestGateway.start(TestConfig.chain(primary, substitute), pingEvery(100))) {
            gateway.client().chat(Client.request());
            TestGateway.eventually(
                    "the substitute is pinged",
                    () -> gateway.metric("sluice_warm_pings_total{result=\"ok\",target=\"up2/m1\"") > 0);
            primary.play((request, wire) -> wire.json(429, "{}", "Retry-After: 30"));
            Client.Answer answer = gateway.client().chat(Client.request());

            assertThat(substitute.requests().get(0).line()).isEqualTo("GET /v1/models HTTP/1.1");
            assertThat(substitute.requests().get(0).headers())
                    .containsEntry("authorization", "Bearer sk-upstream-secret");
            assertThat(answer.header("x-sluice-step")).isEqualTo("rung2");
            assertThat(substitute.connections()).as("connections made").isEqualTo(1);
        }
    }

    @Test
    void pingsAreNoAttemptsAndDoNotMoveTheBreaker() {
        try (ScriptedUpstream primary = ScriptedUpstream.playing(WELL);
                ScriptedUpstream sick = ScriptedUpstream.answering(503, "{}");
                TestGateway gateway = TestGateway.start(TestConfig.chain(primary, sick), pingEvery(1))) {
            gateway.client().chat(Client.request());
            TestGateway.eventually(
                    "two pings failed",
                    () -> gateway.metric("sluice_warm_pings_total{result=\"failed\",target=\"up2/m1\"") > 1);
            double local = gateway.decision(gateway.client().chat(Client.request()))
                    .input()
                    .ladder()
                    .get(1)
                    .targets()
                    .get(0)
                    .local();

            assertThat(local).as("it is known to be sick").isLessThanOrEqualTo(0.25);
            assertThat(gateway.metric("sluice_breaker_opened_total")).isZero();
            assertThat(gateway.metric("sluice_attempts_total")).isEqualTo(2);
        }
    }

    @Test
    void aProviderWhoseSettingSaysSoIsNotPinged() throws Exception {
        try (ScriptedUpstream primary = ScriptedUpstream.playing(WELL);
                ScriptedUpstream silent = ScriptedUpstream.playing(WELL);
                TestGateway gateway = TestGateway.start(withoutPing(TestConfig.chain(primary, silent)), pingEvery(1))) {
            gateway.client().chat(Client.request());
            TestGateway.eventually(
                    "the primary is pinged twice",
                    () -> gateway.metric("sluice_warm_pings_total{result=\"ok\",target=\"up1/m1\"") > 1);

            assertThat(silent.requests()).isEmpty();
            assertThat(gateway.metric("sluice_warm_pings_total{result=\"ok\",target=\"up2/m1\""))
                    .isZero();
        }
    }

    private static Configuration withoutPing(Configuration configuration) {
        TenantTree tenant = configuration.tenants().get(TestConfig.T1);
        ProviderConfig second = tenant.catalog().providers().get("up2");
        return configuration.with(tenant.with(tenant.catalog()
                .with(new ProviderConfig(
                        second.id(),
                        1,
                        second.plugin(),
                        second.baseUrl(),
                        second.credential(),
                        null,
                        null,
                        null,
                        Map.of("warmPing", BooleanNode.FALSE)))));
    }

    @Test
    void aPoolOfNoLadderInUseIsNotPinged() {
        try (ScriptedUpstream used = ScriptedUpstream.playing(WELL);
                ScriptedUpstream unused = ScriptedUpstream.playing(WELL);
                TestGateway gateway = TestGateway.start(TestConfig.chain(used, unused), pingEvery(1))) {
            gateway.client().chat(Client.request().replace("\"auto\"", "\"pool1\""));
            TestGateway.eventually(
                    "the pool in use is pinged",
                    () -> gateway.metric("sluice_warm_pings_total{result=\"ok\",target=\"up1/m1\"") > 1);

            assertThat(unused.requests()).isEmpty();
        }
    }
}
