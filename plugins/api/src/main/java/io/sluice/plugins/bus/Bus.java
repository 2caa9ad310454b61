package io.sluice.plugins.bus;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.plugins.bus.Address.Reach;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.message.BusMessage;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.MessageConsumer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Sends and receives {@link BusMessage}s by type. Delivery is at most once; a request has a timeout of its own and fails with
 * Vert.x's {@code ReplyException} where nobody answers. Within a process the message object itself travels: it is immutable;
 * between nodes it travels as JSON. Handlers run on the context on which they were registered.
 */
public final class Bus {
    private static final String CODEC = "sluice";

    private final EventBus eventBus;

    /** The bus of {@code vertx}; registers the codec where this is the first. */
    public Bus(Vertx vertx) {
        eventBus = vertx.eventBus();
        try {
            eventBus.registerCodec(new MessageJson());
        } catch (IllegalStateException registeredBefore) {
            // one codec per Vert.x instance is enough for any number of Bus objects
        }
    }

    /** To one of the handlers of {@code address}. */
    public <M extends BusMessage> void send(Address<M> address, M message) {
        eventBus.send(address.name(), message, options(address));
    }

    /** To all handlers of {@code address}. */
    public <M extends BusMessage> void publish(Address<M> address, M message) {
        eventBus.publish(address.name(), message, options(address));
    }

    /** Asks one of the handlers of {@code address}. */
    public <M extends BusMessage, R extends BusMessage> Future<R> request(
            Address<M> address, M message, Class<R> answer, Duration timeout) {
        DeliveryOptions withTimeout = options(address).setSendTimeout(timeout.toMillis());
        return eventBus.<BusMessage>request(address.name(), message, withTimeout)
                .map(reply -> answer.cast(reply.body()));
    }

    /** Handles what is sent or published to {@code address}; completes when others can reach it. */
    public <M extends BusMessage> Future<MessageConsumer<M>> on(Address<M> address, Consumer<M> handler) {
        MessageConsumer<M> consumer =
                consumer(address, message -> handler.accept(address.type().cast(message.body())));
        return consumer.completion().map(consumer);
    }

    /** Answers what is asked at {@code address}; a failed future or an exception fails the request at once. */
    public <M extends BusMessage> Future<MessageConsumer<M>> answer(
            Address<M> address, Function<M, Future<? extends BusMessage>> handler) {
        MessageConsumer<M> consumer = consumer(
                address,
                message -> answerOf(address, handler, message.body())
                        .onSuccess(reply -> message.reply(reply, new DeliveryOptions().setCodecName(CODEC)))
                        .onFailure(failure -> message.fail(500, failure.toString())));
        return consumer.completion().map(consumer);
    }

    private <M extends BusMessage> MessageConsumer<M> consumer(Address<M> address, Handler<Message<M>> handler) {
        return address.reach() == Reach.NODE
                ? eventBus.localConsumer(address.name(), handler)
                : eventBus.consumer(address.name(), handler);
    }

    private static DeliveryOptions options(Address<?> address) {
        return new DeliveryOptions().setCodecName(CODEC).setLocalOnly(address.reach() == Reach.NODE);
    }

    /** Whatever the handler throws becomes a failed future: whoever asked must not wait for the timeout. */
    private static <M extends BusMessage> Future<? extends BusMessage> answerOf(
            Address<M> address, Function<M, Future<? extends BusMessage>> handler, BusMessage message) {
        try {
            return handler.apply(address.type().cast(message));
        } catch (RuntimeException thrown) {
            return Future.failedFuture(thrown);
        }
    }

    /** Hands the object over as it is, and as JSON to other nodes. */
    private static final class MessageJson implements MessageCodec<BusMessage, BusMessage> {
        @Override
        public void encodeToWire(Buffer buffer, BusMessage message) {
            try {
                byte[] json = StrictJson.MAPPER.writerFor(BusMessage.class).writeValueAsBytes(message);
                buffer.appendInt(json.length).appendBytes(json);
            } catch (JsonProcessingException brokenRecord) {
                throw new IllegalStateException(brokenRecord);
            }
        }

        @Override
        public BusMessage decodeFromWire(int position, Buffer buffer) {
            int length = buffer.getInt(position);
            int from = position + Integer.BYTES;
            try {
                return StrictJson.MAPPER.readValue(buffer.getBytes(from, from + length), BusMessage.class);
            } catch (IOException unreadable) {
                throw new UncheckedIOException("a message of another node can not be read", unreadable);
            }
        }

        @Override
        public BusMessage transform(BusMessage message) {
            return message;
        }

        @Override
        public String name() {
            return CODEC;
        }

        @Override
        public byte systemCodecID() {
            return -1;
        }
    }
}
