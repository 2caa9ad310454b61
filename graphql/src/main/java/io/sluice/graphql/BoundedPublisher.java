package io.sluice.graphql;

import io.sluice.control.api.ControlPlaneApi.Subscription;
import io.vertx.core.Context;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;

/**
 * Turns a listener into a stream for one subscriber. Events wait in a buffer of {@link #BUFFERED_MAX}; when a slow subscriber
 * lets it fill, the oldest event is dropped, because each event replaces what earlier ones said. Cancelling closes the
 * listener. Events may come from any thread; the subscriber is called on {@code context} only.
 */
final class BoundedPublisher<T> implements Publisher<T> {
    /** A minute of one pool's health at one figure a second. */
    static final int BUFFERED_MAX = 64;

    private final Context context;
    private final BooleanSupplier stillAllowed;
    private final Function<Consumer<T>, Subscription> source;

    /**
     * @param stillAllowed asked before each event; false ends the stream with an error
     * @param source registers a listener
     */
    BoundedPublisher(Context context, BooleanSupplier stillAllowed, Function<Consumer<T>, Subscription> source) {
        this.context = context;
        this.stillAllowed = stillAllowed;
        this.source = source;
    }

    @Override
    public void subscribe(Subscriber<? super T> subscriber) {
        Flow flow = new Flow(subscriber);
        subscriber.onSubscribe(flow);
        flow.open();
    }

    /** One subscriber and its buffer. */
    private final class Flow implements org.reactivestreams.Subscription {
        private final Subscriber<? super T> subscriber;
        private final ArrayDeque<T> waiting = new ArrayDeque<>();
        private long wanted;
        private boolean draining;
        private boolean ended;
        private Subscription listener;

        private Flow(Subscriber<? super T> subscriber) {
            this.subscriber = subscriber;
        }

        private void open() {
            synchronized (this) {
                if (ended) {
                    return;
                }
            }
            Subscription opened = source.apply(this::offer);
            synchronized (this) {
                if (!ended) {
                    listener = opened;
                    return;
                }
            }
            opened.close();
        }

        private synchronized void offer(T event) {
            if (ended) {
                return;
            }
            if (waiting.size() == BUFFERED_MAX) {
                waiting.removeFirst();
            }
            waiting.addLast(event);
            scheduleDrain();
        }

        @Override
        public synchronized void request(long more) {
            wanted = wanted + more < 0 ? Long.MAX_VALUE : wanted + more;
            scheduleDrain();
        }

        @Override
        public void cancel() {
            Subscription closing;
            synchronized (this) {
                ended = true;
                waiting.clear();
                closing = listener;
                listener = null;
            }
            if (closing != null) {
                closing.close();
            }
        }

        /** Holds the lock. */
        private void scheduleDrain() {
            if (!draining && wanted > 0 && !waiting.isEmpty()) {
                draining = true;
                context.runOnContext(now -> drain());
            }
        }

        private void drain() {
            T event;
            while ((event = next()) != null) {
                if (!stillAllowed.getAsBoolean()) {
                    cancel();
                    subscriber.onError(
                            new RefusedException(ErrorCode.UNAUTHENTICATED, "the access token is no longer accepted"));
                    return;
                }
                subscriber.onNext(event);
            }
        }

        private synchronized T next() {
            if (ended || wanted == 0 || waiting.isEmpty()) {
                draining = false;
                return null;
            }
            wanted--;
            return waiting.removeFirst();
        }
    }
}
