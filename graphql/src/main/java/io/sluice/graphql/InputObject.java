package io.sluice.graphql;

import com.fasterxml.jackson.databind.JsonNode;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLTypeUtil;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.config.UserErrorCode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An input of a mutation while it is read, with its place in the whole input and the mistakes found so far. A member that is
 * absent reads as null. An explicit null is a mistake where a default exists, since neither null nor the default is what the
 * caller meant.
 */
final class InputObject {
    private final Map<String, Object> members;
    private final GraphQLInputObjectType type;
    private final List<String> path;
    private final List<UserError> errors;

    private InputObject(
            Map<String, Object> members, GraphQLInputObjectType type, List<String> path, List<UserError> errors) {
        this.members = members;
        this.type = type;
        this.path = path;
        this.errors = errors;
        type.getFieldDefinitions().stream()
                .filter(field -> field.hasSetDefaultValue() && explicitNull(field.getName()))
                .forEach(field -> error(
                        field.getName(),
                        UserErrorCode.REQUIRED,
                        "null is no value here; leave it out for the default"));
    }

    static InputObject of(Map<String, Object> members, GraphQLInputObjectType type) {
        return new InputObject(members, type, List.of(), new ArrayList<>());
    }

    List<UserError> errors() {
        return errors;
    }

    private boolean explicitNull(String name) {
        return members.containsKey(name) && members.get(name) == null;
    }

    private void error(String name, UserErrorCode code, String message) {
        List<String> at = new ArrayList<>(path);
        at.add(name);
        errors.add(new UserError(at, code, message));
    }

    /** For updates: these may be left out, but not emptied. */
    InputObject withoutNulls(String... names) {
        for (String name : names) {
            if (explicitNull(name)) {
                error(name, UserErrorCode.REQUIRED, "can't be emptied; leave it out to keep it as it is");
            }
        }
        return this;
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

    /** The instant, or null with a mistake noted. */
    Instant instant(String name) {
        try {
            String text = text(name);
            return text == null ? null : instantOf(text);
        } catch (DateTimeParseException wrong) {
            error(
                    name,
                    UserErrorCode.INVALID,
                    "must be ISO-8601 in UTC or with an offset, such as 2026-01-31T08:00:00Z");
            return null;
        }
    }

    /** Throws {@link DateTimeParseException} where the text is no instant. */
    static Instant instantOf(String text) {
        return java.time.format.DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
    }

    /** The members of a list of input objects. */
    List<InputObject> inputs(String name) {
        GraphQLInputObjectType item = (GraphQLInputObjectType)
                GraphQLTypeUtil.unwrapAll(type.getFieldDefinition(name).getType());
        List<?> values = (List<?>) members.get(name);
        List<InputObject> inputs = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            List<String> at = new ArrayList<>(path);
            at.add(name);
            at.add(Integer.toString(i));
            inputs.add(new InputObject(object(values.get(i)), item, at, errors));
        }
        return inputs;
    }

    /** An input object as graphql-java hands it over. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }
}
