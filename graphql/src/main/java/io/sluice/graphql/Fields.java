package io.sluice.graphql;

import graphql.schema.DataFetcher;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.FieldCoordinates;
import graphql.schema.GraphQLCodeRegistry;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Where each field's value comes from and which right it needs. Nothing is found by reflection, and a schema field that is
 * missing here fails {@link #requireAllOf}: what nobody decided is denied.
 */
final class Fields {
    private final GraphQLCodeRegistry.Builder registry = GraphQLCodeRegistry.newCodeRegistry();
    private final Set<FieldCoordinates> known = new HashSet<>();

    /** Begins the fields of {@code type}, whose sources are {@code T}; {@code rule} holds where a field names none. */
    <T> OfType<T> of(String type, Class<T> source, Rule rule) {
        return new OfType<>(type, source, rule);
    }

    GraphQLCodeRegistry.Builder registry() {
        return registry;
    }

    /** Throws {@link IllegalStateException} where the schema has a field without source and rule. */
    void requireAllOf(GraphQLSchema schema) {
        List<String> missing = schema.getAllTypesAsList().stream()
                .filter(type ->
                        type instanceof GraphQLObjectType && !type.getName().startsWith("__"))
                .map(GraphQLObjectType.class::cast)
                .flatMap(type -> type.getFieldDefinitions().stream()
                        .map(field -> FieldCoordinates.coordinates(type.getName(), field.getName())))
                .filter(field -> !known.contains(field))
                .map(FieldCoordinates::toString)
                .sorted()
                .toList();
        if (!missing.isEmpty()) {
            throw new IllegalStateException("fields without source and rule: " + missing);
        }
    }

    /** The fields of one type. */
    final class OfType<T> {
        private final String type;
        private final Class<T> source;
        private final Rule rule;

        private OfType(String type, Class<T> source, Rule rule) {
            this.type = type;
            this.source = source;
            this.rule = rule;
        }

        /** A field that is a member of its source. */
        OfType<T> field(String name, Function<T, Object> value) {
            return add(name, rule, (of, environment) -> value.apply(of));
        }

        /** A member that needs another right than the rest of the type. */
        OfType<T> field(String name, Rule needed, Function<T, Object> value) {
            return add(name, needed, (of, environment) -> value.apply(of));
        }

        /** A field that depends on arguments or on the caller; a Vert.x future is waited for. */
        OfType<T> fetched(String name, Rule needed, Function<DataFetchingEnvironment, Object> value) {
            return add(name, needed, (of, environment) -> value.apply(environment));
        }

        /** A member that depends on its source and on the request. */
        OfType<T> joined(String name, Rule needed, BiFunction<T, DataFetchingEnvironment, Object> value) {
            return add(name, needed, value);
        }

        private OfType<T> add(String name, Rule needed, BiFunction<T, DataFetchingEnvironment, Object> value) {
            FieldCoordinates coordinates = FieldCoordinates.coordinates(type, name);
            known.add(coordinates);
            registry.dataFetcher(coordinates, (DataFetcher<Object>) environment -> {
                Caller caller = environment.getGraphQlContext().get(Caller.class);
                if (caller == null || !needed.allows(caller.principal())) {
                    throw new RefusedException(ErrorCode.FORBIDDEN, type + "." + name + " is not for this role");
                }
                Object found = value.apply(source.cast(environment.getSource()), environment);
                return found instanceof Future<?> future ? future.toCompletionStage() : found;
            });
            return this;
        }
    }
}
