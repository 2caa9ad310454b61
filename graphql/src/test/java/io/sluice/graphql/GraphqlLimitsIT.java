package io.sluice.graphql;

import static io.sluice.graphql.Management.code;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import graphql.introspection.IntrospectionQuery;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that would cost too much are refused before anything is fetched. */
class GraphqlLimitsIT {
    private static Management management;

    @BeforeAll
    static void start() {
        management = Management.start();
    }

    @AfterAll
    static void stop() throws Exception {
        management.close();
    }

    @BeforeEach
    void forget() {
        management.plane.reads.set(0);
        management.plane.commands.clear();
    }

    private static void assertRefused(JsonNode answer, ErrorCode code) {
        assertThat(code(answer)).as(answer.toString()).isEqualTo(code.name());
        assertThat(answer.path("data").isContainerNode()).isFalse();
        assertThat(management.plane.reads).hasValue(0);
    }

    private static String aliases(int count, String field) {
        return IntStream.range(0, count).mapToObj(i -> "a" + i + ":" + field).collect(Collectors.joining(" "));
    }

    @Test
    @DisplayName("GQ01: 5,000 aliases are refused and nothing is fetched")
    void refusesThousandsOfAliases() throws Exception {
        HttpResponse<String> response = management.post("{\"query\":\"{" + aliases(5_000, "me{name}") + "}\"}");
        assertThat(response.statusCode()).isIn(200, 413);
        assertThat(management.plane.reads).hasValue(0);
        assertRefused(management.run("{" + aliases(2_500, "me{name}") + "}"), ErrorCode.GRAPHQL_PARSE_FAILED);
    }

    @Test
    @DisplayName("GQ01: a thousand aliases spread from fragments are refused")
    void refusesAliasesFromFragments() throws Exception {
        String query =
                "{a:me{...F} b:me{...F} c:me{...F} d:me{...F}} fragment F on Principal{" + aliases(20, "name") + "}";
        assertRefused(management.run(query), ErrorCode.LIMIT_EXCEEDED);
    }

    @Test
    @DisplayName("Row 87: more aliases than the limit allows give 200 with errors")
    void refusesAliases() throws Exception {
        assertRefused(management.run("{" + aliases(31, "me{name}") + "}"), ErrorCode.LIMIT_EXCEEDED);
    }

    @Test
    void runsAFewAliases() throws Exception {
        assertThat(management
                        .run("{" + aliases(30, "me{name}") + "}")
                        .at("/data/a29/name")
                        .asText())
                .isEqualTo("root");
    }

    @Test
    @DisplayName("Row 87: a document has one mutation field, whatever its aliases")
    void refusesTwoMutations() throws Exception {
        String create = "createApp(input:{tenantId:\"acme\",id:\"x\"}){app{id}}";
        assertRefused(management.run("mutation{a:" + create + " b:" + create + "}"), ErrorCode.LIMIT_EXCEEDED);
        assertRefused(
                management.run("mutation{...F ...G} fragment F on Mutation{a:" + create + "} fragment G on Mutation{b:"
                        + create + "}"),
                ErrorCode.LIMIT_EXCEEDED);
        assertThat(management.plane.commands).isEmpty();
    }

    @Test
    @DisplayName("Row 88: more than 8 levels are refused")
    void refusesDepth() throws Exception {
        String query = "{tenants{nodes{pools{targets" + "{provider".repeat(5) + "}".repeat(5) + "}}}}";
        assertRefused(management.run(query), ErrorCode.LIMIT_EXCEEDED);
    }

    @Test
    @DisplayName("Row 88: first multiplies the cost of what is under it")
    void refusesCost() throws Exception {
        assertRefused(
                management.run("{tenants(first:100){nodes{apps{id} apiKeys{id} providers{id}}}}"),
                ErrorCode.LIMIT_EXCEEDED);
    }

    @Test
    @DisplayName("Row 88: first multiplies also where it comes from a variable, its default or a fragment")
    void refusesCostOfVariables() throws Exception {
        String nodes = "nodes{apps{id} apiKeys{id} providers{id}}";
        assertRefused(
                management.run("root-token", "query($n:Int){tenants(first:$n){" + nodes + "}}", Map.of("n", 100)),
                ErrorCode.LIMIT_EXCEEDED);
        assertRefused(management.run("query($n:Int=100){tenants(first:$n){" + nodes + "}}"), ErrorCode.LIMIT_EXCEEDED);
        assertRefused(
                management.run("{tenants(first:100){...F}} fragment F on TenantConnection{" + nodes + "}"),
                ErrorCode.LIMIT_EXCEEDED);
    }

    @Test
    void runsAPageWithItsLists() throws Exception {
        JsonNode answer = management.run("{tenants{totalCount nodes{id apps{id} apiKeys{id} providers{id} models{id}"
                + " pools{id targets{provider}} scenarios{name ladder{name}}}}}");
        assertThat(answer.has("errors")).as(answer.toString()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "101", "2147483647", "null"})
    void refusesPagesOutsideOneToAHundred(String first) throws Exception {
        assertRefused(management.run("{tenants(first:" + first + "){totalCount}}"), ErrorCode.BAD_USER_INPUT);
        assertRefused(
                management.run("query($n:Int=" + first + "){tenants(first:$n){totalCount}}"), ErrorCode.BAD_USER_INPUT);
    }

    @Test
    @DisplayName("Row 89: more than 2,000 tokens are refused by the parser")
    void refusesTokens() throws Exception {
        assertRefused(management.run("{" + "me{name}".repeat(501) + "}"), ErrorCode.GRAPHQL_PARSE_FAILED);
    }

    @Test
    @DisplayName("Row 89: whitespace without end is refused by the parser")
    void refusesWhitespace() throws Exception {
        assertRefused(management.run("{" + " ,".repeat(20_000) + "me{name}}"), ErrorCode.GRAPHQL_PARSE_FAILED);
    }

    @Test
    @DisplayName("Row 89: a deep grammar is refused by the parser")
    void refusesGrammarDepth() throws Exception {
        assertRefused(
                management.run("{me(x:" + "[".repeat(501) + "]".repeat(501) + "){name}}"),
                ErrorCode.GRAPHQL_PARSE_FAILED);
    }

    @Test
    @DisplayName("Row 89, GQ02: a fragment cycle is an error, not an endless loop")
    void refusesFragmentCycles() throws Exception {
        assertRefused(
                management.run("{me{...A}} fragment A on Principal{...B} fragment B on Principal{...A}"),
                ErrorCode.GRAPHQL_VALIDATION_FAILED);
    }

    @Test
    @DisplayName("GQ02: fragments that double with each level are refused at once")
    void refusesExponentialFragments() throws Exception {
        String query = "{me{...F0}}"
                + IntStream.range(0, 60)
                        .mapToObj(i -> " fragment F" + i + " on Principal{...F" + (i + 1) + " ...F" + (i + 1) + "}")
                        .collect(Collectors.joining())
                + " fragment F60 on Principal{name}";
        assertRefused(management.run(query), ErrorCode.LIMIT_EXCEEDED);
    }

    @ParameterizedTest
    @DisplayName("GQ02: a very deep selection is a GraphQL error and the server lives")
    @CsvSource({"100,GRAPHQL_PARSE_FAILED", "600,GRAPHQL_PARSE_FAILED", "9000,GRAPHQL_PARSE_FAILED"})
    void refusesDeepSelections(int depth, ErrorCode code) throws Exception {
        JsonNode answer = management.run("{" + "me{".repeat(depth) + "name" + "}".repeat(depth) + "}");
        assertThat(code(answer)).isEqualTo(code.name());
        assertThat(management.run("{me{name}}").at("/data/me/name").asText()).isEqualTo("root");
    }

    @Test
    @DisplayName("GQ02: a body of 30,000 nested arrays is 400")
    void refusesDeepJson() throws Exception {
        assertThat(management
                        .post("{\"query\":\"{me{name}}\",\"variables\":" + "[".repeat(30_000) + "]".repeat(30_000)
                                + "}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    @DisplayName("GQ07: tens of thousands of tokens stop at the token limit; a megabyte is not even read")
    void stopsAtTheTokenLimit() throws Exception {
        assertRefused(management.run("{" + "a ".repeat(30_000) + "}"), ErrorCode.GRAPHQL_PARSE_FAILED);
        assertThat(management
                        .post("{\"query\":\"{" + "a ".repeat(500_000) + "}\"}")
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    @DisplayName("Row 92: only platform administrators see the schema")
    void hidesTheSchema() throws Exception {
        assertRefused(management.run("acme-TENANT_ADMIN", IntrospectionQuery.INTROSPECTION_QUERY), ErrorCode.FORBIDDEN);
        assertRefused(
                management.run("acme-AUDITOR", "{...F} fragment F on Query{__type(name:\"Tenant\"){name}}"),
                ErrorCode.FORBIDDEN);
        JsonNode shown = management.run(IntrospectionQuery.INTROSPECTION_QUERY);
        assertThat(shown.at("/data/__schema/queryType/name").asText()).isEqualTo("Query");
    }

    @Test
    @DisplayName("Row 92: introspection in bad faith is refused for administrators too")
    void refusesBadFaith() throws Exception {
        JsonNode answer = management.run("{__schema{types{fields{type{fields{type{fields{type{name}}}}}}}}}");
        assertThat(answer.path("errors")).isNotEmpty();
        assertThat(answer.path("data").isContainerNode()).isFalse();
    }

    @Test
    void typenamesAreForEveryone() throws Exception {
        assertThat(management
                        .run("acme-REVIEWER", "{__typename me{__typename}}")
                        .at("/data/me/__typename")
                        .asText())
                .isEqualTo("Principal");
    }
}
