package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.server.GatewaySettings;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** A slow link is no idle connection. */
class SlowLinkIT {
    private static final int LENGTH = 12_000_000;

    @Test
    void aLargeWholeAnswerOnASlowLinkArrivesWholeThoughItTakesLongerThanTheIdleTime() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("x".repeat(LENGTH), 1, 1));
                TestGateway gateway = TestGateway.start(
                        TestConfig.pool(up),
                        new TestGateway.Options()
                                .gateway(usual -> new GatewaySettings(
                                        usual.host(),
                                        usual.port(),
                                        usual.requestLineMax(),
                                        usual.headBytesMax(),
                                        usual.headMs(),
                                        500,
                                        usual.connectionsPerAddressMax(),
                                        usual.sendBufferBytes())))) {
            Socket socket = Ends.send(gateway, Client.request());
            TestGateway.eventually(
                    "the request is settled",
                    () -> !Ends.decisionsSoFar(gateway).isEmpty());
            Thread.sleep(4_000); // several sweeps after the idle time, while most of the answer waits in the gateway
            String answer = Client.readAll(socket);

            assertThat(answer).hasSizeGreaterThan(LENGTH).contains("\"total_tokens\"");
            socket.close();
        }
    }
}
