package io.sluice.graphql;

import graphql.language.Argument;
import graphql.language.Document;
import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.IntValue;
import graphql.language.NullValue;
import graphql.language.OperationDefinition;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import graphql.language.Value;
import graphql.language.VariableDefinition;
import graphql.language.VariableReference;
import graphql.schema.GraphQLArgument;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLTypeUtil;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a document may cost, found from its text before it is validated or run. The walk visits each fragment once, however
 * often it is spread, so a document can't make its own measuring expensive.
 *
 * <p>Cost: a field with fields of its own counts 1, one without counts 0; a connection multiplies its nodes by {@code first}.
 */
final class DocumentLimits {
    /** Tokens of a document; the widest real queries of the schema have some 300. */
    static final int TOKENS_MAX = 2_000;

    /** Levels of fields; the deepest of the schema is 6. */
    static final int DEPTH_MAX = 8;

    static final int COST_MAX = 200;

    /** Fields after all fragments are spread. */
    static final int FIELDS_MAX = 1_000;

    /** Aliases after all fragments are spread: a page shows a few things of one kind side by side, an attack hundreds. */
    static final int ALIASES_MAX = 30;

    /** Size of a page. */
    static final int FIRST_MAX = 100;

    /** As graphql-java's good-faith check allows; a full introspection query has about 200. */
    static final int INTROSPECTION_FIELDS_MAX = 500;

    /** As graphql-java's good-faith check allows. */
    static final int INTROSPECTION_DEPTH_MAX = 20;

    /** Why a document is not run. */
    record Violation(ErrorCode code, String message) {}

    private final Map<String, FragmentDefinition> fragments = new HashMap<>();
    private final Map<String, Object> variables;
    private final GraphQLSchema schema;

    private DocumentLimits(Document document, Map<String, Object> variables, GraphQLSchema schema) {
        this.variables = variables;
        this.schema = schema;
        document.getDefinitionsOfType(FragmentDefinition.class)
                .forEach(fragment -> fragments.putIfAbsent(fragment.getName(), fragment));
    }

    /**
     * The first limit that the document breaks; empty where it may be validated and run.
     *
     * @param variables as sent
     * @param introspection whether the caller may see the schema
     */
    static Optional<Violation> check(
            Document document, Map<String, Object> variables, GraphQLSchema schema, boolean introspection) {
        DocumentLimits limits = new DocumentLimits(document, variables, schema);
        try {
            long mutationFields = 0;
            for (OperationDefinition operation : document.getDefinitionsOfType(OperationDefinition.class)) {
                GraphQLObjectType root = limits.rootOf(operation);
                Measure measure = limits.new Walk(operation).set(operation.getSelectionSet(), root, 1);
                mutationFields +=
                        operation.getOperation() == OperationDefinition.Operation.MUTATION ? measure.topFields() : 0;
                requireWithin(measure, introspection);
            }
            if (mutationFields > 1) {
                throw new TooMuch(ErrorCode.LIMIT_EXCEEDED, "a document has at most one mutation field");
            }
            return Optional.empty();
        } catch (TooMuch broken) {
            return Optional.of(new Violation(broken.code, broken.getMessage()));
        }
    }

    private static void requireWithin(Measure measure, boolean introspection) {
        if (measure.introspected() > 0 && !introspection) {
            throw new TooMuch(ErrorCode.FORBIDDEN, "the schema is shown to platform administrators only");
        }
        limit("fields", measure.fields(), FIELDS_MAX);
        limit("aliases", measure.aliases(), ALIASES_MAX);
        limit("levels", measure.depth(), DEPTH_MAX);
        limit("cost", measure.cost(), COST_MAX);
        limit("introspection fields", measure.introspected(), INTROSPECTION_FIELDS_MAX);
        limit("introspection levels", measure.introspectedDepth(), INTROSPECTION_DEPTH_MAX);
    }

    private static void limit(String what, long found, long max) {
        if (found > max) {
            throw new TooMuch(
                    ErrorCode.LIMIT_EXCEEDED,
                    "the document has " + found + " " + what + ", at most " + max + " are run");
        }
    }

    private GraphQLObjectType rootOf(OperationDefinition operation) {
        return switch (operation.getOperation()) {
            case QUERY -> schema.getQueryType();
            case MUTATION -> schema.getMutationType();
            case SUBSCRIPTION -> schema.getSubscriptionType();
        };
    }

    /** Size of a selection with its fragments spread. */
    private record Measure(
            long topFields,
            long fields,
            long aliases,
            long depth,
            long cost,
            long introspected,
            long introspectedDepth) {
        static final Measure NONE = new Measure(0, 0, 0, 0, 0, 0, 0);

        Measure plus(Measure other) {
            return new Measure(
                    sum(topFields, other.topFields),
                    sum(fields, other.fields),
                    sum(aliases, other.aliases),
                    Math.max(depth, other.depth),
                    sum(cost, other.cost),
                    sum(introspected, other.introspected),
                    Math.max(introspectedDepth, other.introspectedDepth));
        }
    }

    /** Nested fragments double their size with each level; a saturated sum is over every limit. */
    private static long sum(long left, long right) {
        return Math.min(left + right, Integer.MAX_VALUE);
    }

    private record SpreadKey(String fragment, long times) {}

    /** Measures one operation: its variables have defaults of their own. */
    private final class Walk {
        private final Map<String, Value<?>> defaults = new HashMap<>();
        private final Map<SpreadKey, Measure> spread = new HashMap<>();
        private final Set<String> open = new HashSet<>();

        private Walk(OperationDefinition operation) {
            for (VariableDefinition variable : operation.getVariableDefinitions()) {
                if (variable.getDefaultValue() != null) {
                    defaults.put(variable.getName(), variable.getDefaultValue());
                }
            }
        }

        /**
         * @param type null where it is unknown
         * @param times page size, where the selection is a connection's
         */
        private Measure set(SelectionSet selections, GraphQLFieldsContainer type, long times) {
            if (selections == null) {
                return Measure.NONE;
            }
            Measure total = Measure.NONE;
            for (Selection<?> selection : selections.getSelections()) {
                total = total.plus(one(selection, type, times));
            }
            return total;
        }

        private Measure one(Selection<?> selection, GraphQLFieldsContainer type, long times) {
            if (selection instanceof Field field) {
                return field.getName().startsWith("__") ? meta(field) : field(field, type, times);
            } else if (selection instanceof InlineFragment inline) {
                GraphQLFieldsContainer narrowed = inline.getTypeCondition() == null
                        ? type
                        : container(inline.getTypeCondition().getName());
                return set(inline.getSelectionSet(), narrowed, times);
            }
            return spread((FragmentSpread) selection, times);
        }

        private Measure field(Field field, GraphQLFieldsContainer type, long times) {
            GraphQLFieldDefinition definition = type == null ? null : type.getFieldDefinition(field.getName());
            GraphQLArgument first = definition == null ? null : definition.getArgument("first");
            GraphQLFieldsContainer next = definition == null
                    ? null
                    : GraphQLTypeUtil.unwrapAll(definition.getType()) instanceof GraphQLFieldsContainer inner
                            ? inner
                            : null;
            Measure inside = set(field.getSelectionSet(), next, first == null ? 1 : first(field, first));
            boolean nodes = times > 1 && field.getName().equals("nodes");
            boolean counted =
                    field.getSelectionSet() != null && !field.getName().equals("nodes");
            return new Measure(
                    1,
                    sum(1, inside.fields),
                    sum(field.getAlias() == null ? 0 : 1, inside.aliases),
                    1 + inside.depth,
                    sum(counted ? 1 : 0, nodes ? Math.min(times * inside.cost, Integer.MAX_VALUE) : inside.cost),
                    inside.introspected,
                    inside.introspectedDepth);
        }

        /** Fields of introspection are measured apart: their query is deeper than any of ours and reads no data. */
        private Measure meta(Field field) {
            Measure inside = set(field.getSelectionSet(), null, 1);
            boolean typename = field.getName().equals("__typename");
            return new Measure(
                    1,
                    typename ? 1 : 0,
                    sum(field.getAlias() == null ? 0 : 1, inside.aliases),
                    typename ? 1 : 0,
                    0,
                    typename ? 0 : sum(1, inside.fields),
                    typename ? 0 : 1 + inside.depth);
        }

        private Measure spread(FragmentSpread use, long times) {
            FragmentDefinition fragment = fragments.get(use.getName());
            if (fragment == null) {
                return Measure.NONE;
            }
            SpreadKey key = new SpreadKey(use.getName(), times);
            Measure known = spread.get(key);
            if (known != null) {
                return known;
            }
            if (!open.add(use.getName())) {
                throw new TooMuch(ErrorCode.GRAPHQL_VALIDATION_FAILED, "a fragment contains itself");
            }
            Measure measured = set(
                    fragment.getSelectionSet(),
                    container(fragment.getTypeCondition().getName()),
                    times);
            open.remove(use.getName());
            spread.put(key, measured);
            return measured;
        }

        private GraphQLFieldsContainer container(String name) {
            return schema.getType(name) instanceof GraphQLFieldsContainer container ? container : null;
        }

        /** The page size, also where it comes from a variable or a default; what has the wrong type is reported later. */
        private int first(Field field, GraphQLArgument definition) {
            Value<?> given = field.getArguments().stream()
                    .filter(argument -> argument.getName().equals("first"))
                    .findFirst()
                    .<Value<?>>map(Argument::getValue)
                    .orElse(null);
            Object size = given;
            if (given instanceof VariableReference variable) {
                size = variables.containsKey(variable.getName())
                        ? variables.get(variable.getName())
                        : defaults.get(variable.getName());
                if (size == null && variables.containsKey(variable.getName())) {
                    throw badFirst();
                }
            }
            if (size == null) {
                size = definition.getArgumentDefaultValue().getValue();
            }
            return within(size);
        }

        private static int within(Object size) {
            if (size instanceof NullValue) {
                throw badFirst();
            }
            BigInteger number = size instanceof IntValue literal
                    ? literal.getValue()
                    : size instanceof Number any && any.doubleValue() == Math.rint(any.doubleValue())
                            ? BigInteger.valueOf(any.longValue())
                            : BigInteger.valueOf(FIRST_MAX);
            if (number.signum() <= 0 || number.compareTo(BigInteger.valueOf(FIRST_MAX)) > 0) {
                throw badFirst();
            }
            return number.intValue();
        }
    }

    private static TooMuch badFirst() {
        return new TooMuch(ErrorCode.BAD_USER_INPUT, "first must be 1 to " + FIRST_MAX);
    }

    /** Ends the walk. */
    private static final class TooMuch extends RuntimeException {
        private final ErrorCode code;

        private TooMuch(ErrorCode code, String message) {
            super(message, null, false, false);
            this.code = code;
        }
    }
}
