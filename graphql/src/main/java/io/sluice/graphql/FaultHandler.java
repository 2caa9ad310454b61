package io.sluice.graphql;

import graphql.GraphqlErrorBuilder;
import graphql.execution.DataFetcherExceptionHandler;
import graphql.execution.DataFetcherExceptionHandlerParameters;
import graphql.execution.DataFetcherExceptionHandlerResult;
import io.sluice.control.api.UnavailableException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a caller learns when a data fetcher throws: the text of a refusal, and of a fault nothing but the request id under
 * which it was logged.
 */
final class FaultHandler implements DataFetcherExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(FaultHandler.class);

    @Override
    public CompletableFuture<DataFetcherExceptionHandlerResult> handleException(
            DataFetcherExceptionHandlerParameters parameters) {
        Throwable cause = unwrapped(parameters.getException());
        var error = GraphqlErrorBuilder.newError(parameters.getDataFetchingEnvironment());
        if (cause instanceof RefusedException refused) {
            error.message("%s", refused.getMessage())
                    .extensions(Map.of("code", refused.code().name()));
        } else if (cause instanceof UnavailableException away) {
            error.message("%s", away.getMessage()).extensions(Map.of("code", ErrorCode.UNAVAILABLE.name()));
        } else {
            Caller caller =
                    parameters.getDataFetchingEnvironment().getGraphQlContext().get(Caller.class);
            LOG.error("request {} failed at {}", caller.requestId(), parameters.getPath(), cause);
            error.message("%s", internalText(caller.requestId())).extensions(internalExtensions(caller.requestId()));
        }
        return CompletableFuture.completedFuture(
                DataFetcherExceptionHandlerResult.newResult(error.build()).build());
    }

    static String internalText(String requestId) {
        return "Sluice failed; its log has the cause under request id " + requestId;
    }

    static Map<String, Object> internalExtensions(String requestId) {
        return Map.of("code", ErrorCode.INTERNAL.name(), "requestId", requestId);
    }

    private static Throwable unwrapped(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }
}
