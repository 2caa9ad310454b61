package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import graphql.parser.Parser;
import graphql.schema.GraphQLSchema;
import io.sluice.graphql.DocumentLimits.Violation;
import java.math.BigInteger;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentLimitsTest {
    private static final GraphQLSchema SCHEMA = AdminSchema.build(new MemoryControlPlane(), Clock.systemUTC());

    private static Optional<Violation> check(String document, Map<String, Object> variables) {
        return DocumentLimits.check(new Parser().parseDocument(document), variables, SCHEMA, false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{tenants(first:100){nodes{apps{id} apiKeys{id}}}}|201",
                "{tenants(first:50){nodes{apps{id} apiKeys{id} prices{model} models{id}}} me{name}}|202",
                "{a:tenants(first:100){nodes{apps{id}}} b:tenants(first:100){nodes{apps{id}}}}|202"
            })
    void tellsTheCost(String document, int cost) {
        assertThat(check(document, Map.of()))
                .hasValueSatisfying(violation -> assertThat(violation.message()).contains("has " + cost + " cost"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{tenants(first:100){nodes{id displayName version}}}",
                "{tenants(first:100){totalCount pageInfo{hasNextPage} nodes{apps{id}}}}",
                "{decisions(tenantId:\"t\",first:100){nodes{traceId model outcome attempts{n outcome}}}}",
                "{unknown{deeper}}",
                "{...Missing}",
                "query($n:Int){tenants(first:$n){totalCount}}"
            })
    void letsPagesThrough(String document) {
        assertThat(check(document, Map.of())).isEmpty();
    }

    @Test
    void takesThePageSizeFromWhateverNumberAVariableIs() {
        String document = "query($n:Int){tenants(first:$n){totalCount}}";
        assertThat(check(document, Map.of("n", BigInteger.valueOf(100)))).isEmpty();
        assertThat(check(document, Map.of("n", BigInteger.valueOf(101)))).isPresent();
        assertThat(check(document, Map.of("n", new BigInteger("9".repeat(30))))).isPresent();
    }

    @Test
    void measuresEachOperationOfADocument() {
        assertThat(check("query A{me{name}} query B{__schema{queryType{name}}}", Map.of()))
                .hasValueSatisfying(violation -> assertThat(violation.code()).isEqualTo(ErrorCode.FORBIDDEN));
    }

    @Test
    void countsMutationFieldsOverAllOperations() {
        String create = "{createApp(input:{tenantId:\"t\",id:\"a\"}){app{id}}}";
        assertThat(check("mutation A" + create, Map.of())).isEmpty();
        assertThat(check("mutation A" + create + " mutation B" + create, Map.of()))
                .isPresent();
    }
}
