package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import graphql.schema.GraphQLSchema;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import java.time.Clock;
import org.junit.jupiter.api.Test;

class FieldsTest {
    private static GraphQLSchema schema(String text) {
        return new SchemaGenerator()
                .makeExecutableSchema(
                        new SchemaParser().parse(text),
                        RuntimeWiring.newRuntimeWiring().build());
    }

    @Test
    void aFieldWithoutSourceAndRuleFailsTheStart() {
        Fields fields = new Fields();
        fields.of("Query", Object.class, Rule.ANY_PRINCIPAL).fetched("known", Rule.ANY_PRINCIPAL, environment -> 1);
        assertThatThrownBy(() -> fields.requireAllOf(schema("type Query { known: Int forgotten: Int }")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Query.forgotten");
    }

    @Test
    void everyFieldOfTheAdministrationSchemaHasSourceAndRule() {
        assertThatCode(() -> AdminSchema.build(new MemoryControlPlane(), Clock.systemUTC()))
                .doesNotThrowAnyException();
    }
}
