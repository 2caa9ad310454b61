package io.sluice.graphql;

import graphql.ErrorType;
import graphql.execution.AbortExecutionException;
import graphql.execution.instrumentation.DocumentAndVariables;
import graphql.execution.instrumentation.InstrumentationState;
import graphql.execution.instrumentation.SimplePerformantInstrumentation;
import graphql.execution.instrumentation.parameters.InstrumentationExecutionParameters;
import io.sluice.tenants.config.Role;
import java.util.Map;

/** Stands between parsing and validation and lets no document through that {@link DocumentLimits} finds too large. */
final class LimitGate extends SimplePerformantInstrumentation {
    private final boolean schemaIsPublic;

    /** @param schemaIsPublic whether every proven caller may introspect, as in the demo */
    LimitGate(boolean schemaIsPublic) {
        this.schemaIsPublic = schemaIsPublic;
    }

    @Override
    public DocumentAndVariables instrumentDocumentAndVariables(
            DocumentAndVariables documentAndVariables,
            InstrumentationExecutionParameters parameters,
            InstrumentationState state) {
        Caller caller = parameters.getGraphQLContext().get(Caller.class);
        boolean introspection = schemaIsPublic || caller.principal().role() == Role.PLATFORM_ADMIN;
        DocumentLimits.check(
                        documentAndVariables.getDocument(),
                        documentAndVariables.getVariables(),
                        parameters.getSchema(),
                        introspection)
                .ifPresent(violation -> {
                    throw new OverLimitException(violation);
                });
        return documentAndVariables;
    }

    /** Aborts with the violation's code. */
    private static final class OverLimitException extends AbortExecutionException {
        private final ErrorCode code;

        private OverLimitException(DocumentLimits.Violation violation) {
            super(violation.message());
            this.code = violation.code();
        }

        @Override
        public ErrorType getErrorType() {
            return ErrorType.ExecutionAborted;
        }

        @Override
        public Map<String, Object> getExtensions() {
            return Map.of("code", code.name());
        }
    }
}
