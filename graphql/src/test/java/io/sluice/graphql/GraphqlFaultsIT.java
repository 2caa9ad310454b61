package io.sluice.graphql;

import static io.sluice.graphql.Management.code;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.Future;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Faults and wrong values: an error each, no text of a fault, no 500. */
class GraphqlFaultsIT {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.sluice.graphql");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Management management;

    @BeforeEach
    void start() {
        management = Management.start();
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() throws Exception {
        logger.detachAppender(log);
        management.close();
    }

    @Test
    @DisplayName("Row 93: a fault is INTERNAL with the request id, its text stays in the log, where it is once")
    void hidesFaults() throws Exception {
        management.plane.fault = new IllegalStateException("jdbc://user:pw@db.internal/x");
        HttpResponse<String> response = management.post("{\"query\":\"{tenant(id:\\\"acme\\\"){id}}\"}");
        String requestId = response.headers().firstValue("x-request-id").orElseThrow();
        JsonNode answer = StrictJson.MAPPER.readTree(response.body());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(code(answer)).isEqualTo("INTERNAL");
        assertThat(answer.at("/errors/0/extensions/requestId").asText()).isEqualTo(requestId);
        assertThat(response.body()).doesNotContain("jdbc", "user:pw", "IllegalState");
        assertThat(log.list)
                .hasSize(1)
                .allSatisfy(event -> assertThat(event.getFormattedMessage()).contains(requestId));
    }

    @Test
    @DisplayName("Row 93: so is a fault that comes later, in a future")
    void hidesFaultsOfFutures() throws Exception {
        management.plane.slowDecision = () -> Future.failedFuture("secret text");
        JsonNode answer = management.run("{decision(traceId:\"x\"){outcome}}");
        assertThat(code(answer)).isEqualTo("INTERNAL");
        assertThat(answer.toString()).doesNotContain("secret text");
    }

    @Test
    @DisplayName("Row 93: and a fault of a mutation")
    void hidesFaultsOfMutations() throws Exception {
        management.plane.fault = new IllegalStateException("secret text");
        JsonNode answer = management.run("mutation{createApp(input:{tenantId:\"acme\",id:\"a\"}){app{id}}}");
        assertThat(code(answer)).isEqualTo("INTERNAL");
        assertThat(answer.toString()).doesNotContain("secret text");
    }

    @ParameterizedTest
    @DisplayName("GQ05: a missing, null or wrong variable is an error with a message, never a fault")
    @ValueSource(strings = {"{\"id\":null}", "{}", "{\"id\":{}}", "{\"id\":[]}", "{\"id\":true}"})
    void refusesWrongVariables(String variables) throws Exception {
        assertProperError("query($id: ID!){tenant(id:$id){displayName}}", variables);
    }

    @ParameterizedTest
    @DisplayName("GQ05: an Int beyond 31 bits, a float or a text for it is an error with a message")
    @ValueSource(
            strings = {
                "{\"n\":2147483648}",
                "{\"n\":1e400}",
                "{\"n\":1.5}",
                "{\"n\":\"1\"}",
                "{\"n\":99999999999999999999}"
            })
    void refusesWrongInts(String variables) throws Exception {
        assertProperError("query($n: Int){tenants(first:$n){totalCount}}", variables);
        assertProperError(
                "query($n: Int!){planRoute(input:{tenantId:\"acme\",scenario:\"s\",promptTokens:$n}){refused}}",
                variables);
    }

    @Test
    @DisplayName("GQ05: also as a literal")
    void refusesWrongLiterals() throws Exception {
        assertProperError("{tenants(first:2147483648){totalCount}}", "{}");
        assertProperError(
                "{planRoute(input:{tenantId:\"acme\",scenario:\"s\",promptTokens:2147483648}){refused}}", "{}");
        assertProperError(
                "mutation{putPrice(input:{model:\"m\",inputPerMTok:0.15,outputPerMTok:\"1\"}){userErrors{code}}}",
                "{}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "{",
                "query A{me{name}} query B{me{name}}",
                "subscription{configEpoch{epoch} poolHealth{poolId}}",
                "{nothing}",
                "query($x:Nothing){me{name}}",
                "fragment F on Query{me{name}}",
                "type Query{a:Int}"
            })
    void refusesDocumentsThatCanNotRun(String query) throws Exception {
        assertProperError(query, "{}");
    }

    private void assertProperError(String query, String variables) throws Exception {
        HttpResponse<String> response = management.post(
                "{\"query\":" + StrictJson.MAPPER.writeValueAsString(query) + ",\"variables\":" + variables + "}");
        JsonNode answer = StrictJson.MAPPER.readTree(response.body());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(answer.at("/errors/0/message").asText()).isNotBlank();
        assertThat(code(answer)).isNotEmpty().isNotEqualTo("INTERNAL");
        assertThat(response.body()).doesNotContain("Exception", "\tat ");
        assertThat(log.list).isEmpty();
    }
}
