package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that does not answer operators: machines ask it, and people are told where to ask. */
class ProbesOnlyIT {
    private Management management;

    @BeforeEach
    void start() throws Exception {
        management = new Management(false, Optional.empty());
    }

    @AfterEach
    void stop() throws Exception {
        management.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/readyz", "/metrics"})
    void answersMachines(String path) throws Exception {
        assertThat(management.send(management.request(path).GET()).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/graphql", "/exports/spend.csv?tenant=acme&month=2026-01"})
    void tellsOperatorsWhichNodesToAsk(String path) throws Exception {
        HttpResponse<String> answer =
                management.send(management.request(path).header("authorization", "Bearer root-token"));

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).contains("not_found").contains("ask one that has the role control");
    }

    @Test
    void takesNoCommandEither() throws Exception {
        HttpResponse<String> answer = management.send(management
                .request("/graphql")
                .header("authorization", "Bearer root-token")
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString("{\"query\":\"{cluster{epoch}}\"}")));

        assertThat(answer.statusCode()).isEqualTo(404);
    }
}
