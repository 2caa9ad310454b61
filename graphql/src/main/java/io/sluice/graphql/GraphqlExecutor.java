package io.sluice.graphql;

import graphql.ErrorClassification;
import graphql.ErrorType;
import graphql.ExecutionInput;
import graphql.ExecutionResult;
import graphql.GraphQL;
import graphql.GraphQLError;
import graphql.parser.ParserOptions;
import io.sluice.control.api.ControlPlaneApi;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs documents against the administration schema, for HTTP and WebSocket alike: same limits, same rules, same form of
 * errors. Call it on the event loop that is to see the result. Immutable.
 */
final class GraphqlExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(GraphqlExecutor.class);

    /** Commas and blanks between tokens: four to a token is generous. */
    private static final int WHITESPACE_MAX = 4 * DocumentLimits.TOKENS_MAX;

    /** Nesting of the grammar, several levels to a field: above {@link DocumentLimits#INTROSPECTION_DEPTH_MAX} fields. */
    private static final int GRAMMAR_DEPTH_MAX = 200;

    private static final ParserOptions PARSER = ParserOptions.newParserOptions()
            .maxTokens(DocumentLimits.TOKENS_MAX)
            .maxWhitespaceTokens(WHITESPACE_MAX)
            .maxRuleDepth(GRAMMAR_DEPTH_MAX)
            .maxCharacters(ManagementServer.BODY_BYTES_MAX)
            .captureIgnoredChars(false)
            .captureLineComments(false)
            .build();

    private final GraphQL graphQl;

    private GraphqlExecutor(GraphQL graphQl) {
        this.graphQl = graphQl;
    }

    /** Builds the schema: some hundred milliseconds in a cold JVM, so not on an event loop. */
    static GraphqlExecutor build(ControlPlaneApi api, Clock clock, boolean schemaIsPublic) {
        return new GraphqlExecutor(GraphQL.newGraphQL(AdminSchema.build(api, clock))
                .defaultDataFetcherExceptionHandler(new FaultHandler())
                .instrumentation(new LimitGate(schemaIsPublic))
                .build());
    }

    /** Never fails: what goes wrong is in the result's errors. */
    Future<ExecutionResult> execute(GraphqlRequest request, Caller caller) {
        ExecutionInput input = ExecutionInput.newExecutionInput(request.query())
                .operationName(request.operationName())
                .variables(request.variables())
                .graphQLContext(Map.of(Caller.class, caller, ParserOptions.class, PARSER))
                .build();
        try {
            return Future.fromCompletionStage(graphQl.executeAsync(input))
                    .recover(fault -> Future.succeededFuture(ofFault(fault, caller)));
        } catch (RuntimeException fault) {
            return Future.succeededFuture(ofFault(fault, caller));
        }
    }

    private static ExecutionResult ofFault(Throwable thrown, Caller caller) {
        Throwable fault = thrown.getCause() instanceof GraphQLError ? thrown.getCause() : thrown;
        if (fault instanceof GraphQLError error) {
            return ExecutionResult.newExecutionResult().addError(error).build();
        }
        LOG.error("request {} failed", caller.requestId(), fault);
        return ExecutionResult.newExecutionResult()
                .addError(GraphQLError.newError()
                        .message("%s", FaultHandler.internalText(caller.requestId()))
                        .extensions(FaultHandler.internalExtensions(caller.requestId()))
                        .build())
                .build();
    }

    /** The result as told to the caller: every error has a code. */
    static Map<String, Object> view(ExecutionResult result) {
        Map<String, Object> view = new LinkedHashMap<>();
        if (!result.getErrors().isEmpty()) {
            view.put("errors", errors(result.getErrors()));
        }
        if (result.isDataPresent()) {
            view.put("data", result.getData());
        }
        return view;
    }

    static List<Map<String, Object>> errors(List<GraphQLError> errors) {
        return errors.stream().map(GraphqlExecutor::error).toList();
    }

    private static Map<String, Object> error(GraphQLError error) {
        Map<String, Object> view = new LinkedHashMap<>(error.toSpecification());
        Map<String, Object> extensions = error.getExtensions() == null ? Map.of() : error.getExtensions();
        view.put(
                "extensions",
                extensions.containsKey("code")
                        ? extensions
                        : Map.of("code", codeOf(error.getErrorType()).name()));
        return view;
    }

    private static ErrorCode codeOf(ErrorClassification type) {
        if (!(type instanceof ErrorType known)) {
            return ErrorCode.BAD_USER_INPUT;
        }
        return switch (known) {
            case InvalidSyntax -> ErrorCode.GRAPHQL_PARSE_FAILED;
            case ValidationError -> ErrorCode.GRAPHQL_VALIDATION_FAILED;
            case DataFetchingException, NullValueInNonNullableField -> ErrorCode.INTERNAL;
            case OperationNotSupported, ExecutionAborted -> ErrorCode.BAD_USER_INPUT;
        };
    }
}
