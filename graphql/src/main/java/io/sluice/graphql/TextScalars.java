package io.sluice.graphql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import graphql.GraphQLContext;
import graphql.execution.CoercedVariables;
import graphql.language.ArrayValue;
import graphql.language.BooleanValue;
import graphql.language.EnumValue;
import graphql.language.FloatValue;
import graphql.language.IntValue;
import graphql.language.NullValue;
import graphql.language.ObjectValue;
import graphql.language.StringValue;
import graphql.language.Value;
import graphql.language.VariableReference;
import graphql.schema.Coercing;
import graphql.schema.CoercingParseLiteralException;
import graphql.schema.CoercingParseValueException;
import graphql.schema.GraphQLScalarType;
import io.sluice.tenants.json.StrictJson;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The scalars of the schema. All but ID, JSON and Long are strings whose form is not looked at here: a wrong one is the control plane's to
 * report, as a userError with its path, beside all other mistakes of the input.
 */
final class TextScalars {
    private TextScalars() {}

    static List<GraphQLScalarType> all() {
        return Stream.concat(
                        Stream.of("DateTime", "Date", "Duration", "Money", "TimeZone")
                                .map(name -> scalar(name, new TextCoercing(name))),
                        Stream.of(
                                scalar("ID", new IdCoercing()),
                                scalar("JSON", new JsonCoercing()),
                                scalar("Long", new LongCoercing())))
                .toList();
    }

    private static GraphQLScalarType scalar(String name, Coercing<?, ?> coercing) {
        return GraphQLScalarType.newScalar().name(name).coercing(coercing).build();
    }

    private record TextCoercing(String name) implements Coercing<String, String> {
        @Override
        public String serialize(Object value, GraphQLContext context, Locale locale) {
            return value.toString();
        }

        @Override
        public String parseValue(Object input, GraphQLContext context, Locale locale) {
            if (input instanceof String text) {
                return text;
            }
            throw new CoercingParseValueException(name + " is written as a string");
        }

        @Override
        public String parseLiteral(Value<?> input, CoercedVariables variables, GraphQLContext context, Locale locale) {
            if (input instanceof StringValue text) {
                return text.getValue();
            }
            throw new CoercingParseLiteralException(name + " is written as a string");
        }
    }

    /** graphql-java's own takes any object or list for an id and makes a text of it. */
    private static final class IdCoercing implements Coercing<String, String> {
        @Override
        public String serialize(Object value, GraphQLContext context, Locale locale) {
            return value.toString();
        }

        @Override
        public String parseValue(Object input, GraphQLContext context, Locale locale) {
            if (input instanceof String || input instanceof Integer || input instanceof BigInteger) {
                return input.toString();
            }
            throw new CoercingParseValueException("ID is written as a string");
        }

        @Override
        public String parseLiteral(Value<?> input, CoercedVariables variables, GraphQLContext context, Locale locale) {
            if (input instanceof StringValue text) {
                return text.getValue();
            } else if (input instanceof IntValue number) {
                return number.getValue().toString();
            }
            throw new CoercingParseLiteralException("ID is written as a string");
        }
    }

    /** Of answers only. */
    private static final class LongCoercing implements Coercing<Long, Long> {
        @Override
        public Long serialize(Object value, GraphQLContext context, Locale locale) {
            return ((Number) value).longValue();
        }
    }

    private static final class JsonCoercing implements Coercing<JsonNode, Object> {
        @Override
        public Object serialize(Object value, GraphQLContext context, Locale locale) {
            return value instanceof JsonNode node ? node : StrictJson.MAPPER.valueToTree(value);
        }

        @Override
        public JsonNode parseValue(Object input, GraphQLContext context, Locale locale) {
            return StrictJson.MAPPER.valueToTree(input);
        }

        @Override
        public JsonNode parseLiteral(
                Value<?> input, CoercedVariables variables, GraphQLContext context, Locale locale) {
            return json(input, variables);
        }

        private static JsonNode json(Value<?> value, CoercedVariables variables) {
            JsonNodeFactory nodes = JsonNodeFactory.instance;
            if (value instanceof StringValue text) {
                return nodes.textNode(text.getValue());
            } else if (value instanceof IntValue number) {
                return nodes.numberNode(number.getValue());
            } else if (value instanceof FloatValue number) {
                return nodes.numberNode(number.getValue());
            } else if (value instanceof BooleanValue flag) {
                return nodes.booleanNode(flag.isValue());
            } else if (value instanceof NullValue) {
                return nodes.nullNode();
            } else if (value instanceof VariableReference variable) {
                return StrictJson.MAPPER.valueToTree(variables.get(variable.getName()));
            } else if (value instanceof ArrayValue list) {
                ArrayNode array = nodes.arrayNode();
                list.getValues().forEach(item -> array.add(json(item, variables)));
                return array;
            } else if (value instanceof ObjectValue object) {
                ObjectNode members = nodes.objectNode();
                object.getObjectFields()
                        .forEach(field -> members.set(field.getName(), json(field.getValue(), variables)));
                return members;
            } else if (value instanceof EnumValue) {
                throw new CoercingParseLiteralException("JSON has no enum values: write it in quotes");
            }
            throw new CoercingParseLiteralException("not JSON");
        }
    }
}
