package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Probes and metrics need no token and tell the truth; GraphiQL is for the demo. */
class ProbesIT {
    private Management management;

    @BeforeEach
    void start() throws Exception {
        management = new Management(true);
    }

    @AfterEach
    void stop() throws Exception {
        management.close();
    }

    @Test
    void saysThatItLives() throws Exception {
        HttpResponse<String> response =
                management.send(management.request("/livez").GET());
        assertThat(response.statusCode()).isEqualTo(200);
    }

    @Test
    void saysWhyItIsNotReady() throws Exception {
        management.readiness.set(Probes.Readiness.not("no snapshot yet"));
        HttpResponse<String> response =
                management.send(management.request("/readyz").GET());
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("no snapshot yet");
    }

    @Test
    void saysThatItIsReady() throws Exception {
        assertThat(management.send(management.request("/readyz").GET()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void showsMetrics() throws Exception {
        HttpResponse<String> response =
                management.send(management.request("/metrics").GET());
        assertThat(response.body()).isEqualTo("sluice_requests_total 1\n");
        assertThat(response.headers().firstValue("content-type")).contains("text/plain; version=0.0.4; charset=utf-8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/readyz", "/metrics"})
    void allowsOnlyGet(String path) throws Exception {
        HttpResponse<String> response = management.send(management.request(path).POST(BodyPublishers.ofString("x")));
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).contains("GET");
    }

    @Test
    void showsGraphiqlInTheDemo() throws Exception {
        HttpResponse<String> response =
                management.send(management.request("/graphiql/").GET());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/html"));
    }

    @Test
    void showsTheSchemaToTenantsInTheDemo() throws Exception {
        assertThat(management
                        .run("acme-REVIEWER", "{__schema{queryType{name}}}")
                        .has("errors"))
                .isFalse();
    }
}
