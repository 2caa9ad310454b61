package io.sluice.graphql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import graphql.ExecutionResult;
import graphql.GraphQLError;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * One client of graphql-transport-ws: who it is and which operations run. All on the socket's event loop. vertx-web's own
 * handler is not used because it writes on while a client reads nothing and tells clients the text of faults.
 */
final class GraphqlSocket {
    /** The library's own default: a client sends connection_init at once. */
    static final long INIT_WAIT_MS = 3_000;

    /** Below the idle timeout of {@link ManagementServer}, so that only a dead peer runs into it. */
    private static final long PING_INTERVAL_MS = 25_000;

    /** Running operations of one socket: a console shows a handful of streams. */
    static final int OPERATIONS_MAX = 16;

    private final Vertx vertx;
    private final ServerWebSocket socket;
    private final GraphqlExecutor executor;
    private final Function<String, Optional<Caller>> authenticate;
    private final Map<String, Operation> operations = new HashMap<>();
    private Caller caller;
    private boolean acknowledged;
    private long initTimer;
    private long pingTimer;

    /** @param caller proven by the upgrade's headers; null where it has no token */
    GraphqlSocket(
            Vertx vertx,
            ServerWebSocket socket,
            GraphqlExecutor executor,
            Function<String, Optional<Caller>> authenticate,
            Caller caller) {
        this.vertx = vertx;
        this.socket = socket;
        this.executor = executor;
        this.authenticate = authenticate;
        this.caller = caller;
    }

    void open() {
        initTimer = vertx.setTimer(INIT_WAIT_MS, late -> close(4408, "Connection initialisation timeout"));
        pingTimer = vertx.setPeriodic(PING_INTERVAL_MS, due -> socket.writePing(Buffer.buffer()));
        socket.textMessageHandler(this::onText)
                .binaryMessageHandler(bytes -> close(4400, "Messages are text"))
                .exceptionHandler(broken -> socket.close())
                .closeHandler(closed -> onClose());
    }

    private void onText(String text) {
        if (socket.isClosed()) {
            return;
        }
        try {
            SocketMessage message = SocketMessage.parse(text);
            switch (message.type()) {
                case "connection_init" -> onInit(message.payload());
                case "ping" -> send(null, "pong", message.payload().isMissingNode() ? null : message.payload());
                case "pong" -> {}
                case "subscribe" -> onSubscribe(message);
                case "complete" -> onComplete(message.id());
                default -> close(4400, "Unknown type of message");
            }
        } catch (GraphqlRequest.MalformedException malformed) {
            close(4400, malformed.getMessage());
        }
    }

    private void onInit(JsonNode payload) {
        if (acknowledged) {
            close(4429, "Too many initialisation requests");
            return;
        }
        JsonNode header = payload.has("Authorization") ? payload.get("Authorization") : payload.path("authorization");
        if (header.isTextual()) {
            caller = BearerToken.of(header.textValue()).flatMap(authenticate).orElse(null);
        }
        if (caller == null) {
            close(header.isMissingNode() ? 4401 : 4403, header.isMissingNode() ? "Unauthorized" : "Forbidden");
            return;
        }
        vertx.cancelTimer(initTimer);
        acknowledged = true;
        send(null, "connection_ack", null);
    }

    private void onSubscribe(SocketMessage message) throws GraphqlRequest.MalformedException {
        String id = message.id();
        if (!acknowledged) {
            close(4401, "Unauthorized");
        } else if (id == null || id.isBlank()) {
            close(4400, "An operation has an id");
        } else if (operations.containsKey(id)) {
            close(4409, "Subscriber for " + (id.length() > 36 ? "this id" : id) + " already exists");
        } else if (operations.size() == OPERATIONS_MAX) {
            sendErrors(id, ErrorCode.LIMIT_EXCEEDED, "a socket runs at most " + OPERATIONS_MAX + " operations");
        } else if (!caller.stillValid().getAsBoolean()) {
            close(4403, "Forbidden");
        } else {
            Operation operation = new Operation(id);
            GraphqlRequest request = GraphqlRequest.of(message.payload());
            operations.put(id, operation);
            executor.execute(request, caller).onSuccess(operation::onResult);
        }
    }

    private void onComplete(String id) {
        Operation operation = operations.remove(id);
        if (operation != null) {
            operation.cancel();
        }
    }

    private void onClose() {
        vertx.cancelTimer(initTimer);
        vertx.cancelTimer(pingTimer);
        List<Operation> running = List.copyOf(operations.values());
        operations.clear();
        running.forEach(Operation::cancel);
    }

    /** A close frame holds at most 123 bytes of reason. */
    private void close(int code, String reason) {
        socket.close((short) code, reason.length() > 100 ? reason.substring(0, 100) : reason);
    }

    private void sendErrors(String id, ErrorCode code, String text) {
        send(
                id,
                "error",
                GraphqlExecutor.errors(List.of(GraphQLError.newError()
                        .message("%s", text)
                        .extensions(Map.of("code", code.name()))
                        .build())));
    }

    private io.vertx.core.Future<Void> send(String id, String type, Object payload) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("type", type);
        if (id != null) {
            message.put("id", id);
        }
        if (payload != null) {
            message.put("payload", payload);
        }
        try {
            return socket.writeTextMessage(StrictJson.MAPPER.writeValueAsString(message));
        } catch (JsonProcessingException fault) {
            throw new IllegalStateException(fault);
        }
    }

    /** One operation. It asks for the next event when the one before has left the process, so a slow client slows only itself. */
    private final class Operation implements Subscriber<ExecutionResult> {
        private final String id;
        private Subscription events;
        private boolean cancelled;

        private Operation(String id) {
            this.id = id;
        }

        private boolean running() {
            return !cancelled && operations.get(id) == this;
        }

        private void onResult(ExecutionResult result) {
            if (!running()) {
                return;
            }
            if (result.getData() instanceof Publisher<?>) {
                Publisher<ExecutionResult> publisher = result.getData();
                publisher.subscribe(this);
            } else if (result.isDataPresent()) {
                send(id, "next", GraphqlExecutor.view(result));
                onComplete();
            } else {
                operations.remove(id);
                send(id, "error", GraphqlExecutor.errors(result.getErrors()));
            }
        }

        private void cancel() {
            cancelled = true;
            if (events != null) {
                events.cancel();
            }
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            events = subscription;
            if (cancelled) {
                subscription.cancel();
            } else {
                subscription.request(1);
            }
        }

        @Override
        public void onNext(ExecutionResult event) {
            if (running()) {
                send(id, "next", GraphqlExecutor.view(event)).onSuccess(sent -> events.request(1));
            }
        }

        @Override
        public void onError(Throwable thrown) {
            if (running()) {
                operations.remove(id);
                Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
                boolean refused = cause instanceof RefusedException;
                sendErrors(
                        id,
                        refused ? ((RefusedException) cause).code() : ErrorCode.INTERNAL,
                        refused ? cause.getMessage() : FaultHandler.internalText(caller.requestId()));
            }
        }

        @Override
        public void onComplete() {
            if (running()) {
                operations.remove(id);
                send(id, "complete", null);
            }
        }
    }
}
