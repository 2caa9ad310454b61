package io.sluice.graphql;

import com.fasterxml.jackson.databind.JsonNode;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLTypeUtil;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An input of a mutation, read by name. A member that is absent has the schema's default or reads as null; an explicit null
 * reads as null also where there is a default (GQ04). Mistakes are the control plane's to find, all at once.
 */
final class InputObject {
    private final Map<String, Object> members;
    private final GraphQLInputObjectType type;

    private InputObject(Map<String, Object> members, GraphQLInputObjectType type) {
        this.members = members;
        this.type = type;
    }

    static InputObject of(Map<String, Object> members, GraphQLInputObjectType type) {
        return new InputObject(members, type);
    }

    /** Those of {@code names} that were given as an explicit null. */
    List<String> nulls(String... names) {
        return Stream.of(names)
                .filter(name -> members.containsKey(name) && members.get(name) == null)
                .toList();
    }

    String text(String name) {
        return (String) members.get(name);
    }

    Integer integer(String name) {
        return (Integer) members.get(name);
    }

    Double decimal(String name) {
        return (Double) members.get(name);
    }

    List<Double> decimals(String name) {
        Object value = members.get(name);
        return value == null
                ? null
                : ((List<?>) value).stream().map(Double.class::cast).toList();
    }

    Boolean flag(String name) {
        return (Boolean) members.get(name);
    }

    JsonNode json(String name) {
        return (JsonNode) members.get(name);
    }

    List<String> texts(String name) {
        Object value = members.get(name);
        return value == null
                ? null
                : ((List<?>) value).stream().map(String.class::cast).toList();
    }

    /** The members of an input object within this one; null where it is absent. */
    InputObject input(String name) {
        GraphQLInputObjectType inner = (GraphQLInputObjectType)
                GraphQLTypeUtil.unwrapAll(type.getFieldDefinition(name).getType());
        Object value = members.get(name);
        return value == null ? null : new InputObject(object(value), inner);
    }

    /** The members of a list of input objects; empty where the list is absent. */
    List<InputObject> inputs(String name) {
        GraphQLInputObjectType item = (GraphQLInputObjectType)
                GraphQLTypeUtil.unwrapAll(type.getFieldDefinition(name).getType());
        List<?> values = (List<?>) members.get(name);
        return values == null
                ? List.of()
                : values.stream()
                        .map(value -> new InputObject(object(value), item))
                        .toList();
    }

    /** An input object as graphql-java hands it over. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }
}
