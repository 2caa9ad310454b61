package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

class BoundedPublisherTest {
    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final List<Consumer<Integer>> listeners = new ArrayList<>();
    private final List<Integer> seen = new ArrayList<>();
    private Throwable error;
    private Subscription subscription;
    private boolean allowed = true;

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void subscribe() {
        new BoundedPublisher<Integer>(context, () -> allowed, listener -> {
                    listeners.add(listener);
                    return () -> listeners.remove(listener);
                })
                .subscribe(new Subscriber<>() {
                    @Override
                    public void onSubscribe(Subscription given) {
                        subscription = given;
                    }

                    @Override
                    public void onNext(Integer event) {
                        seen.add(event);
                    }

                    @Override
                    public void onError(Throwable thrown) {
                        error = thrown;
                    }

                    @Override
                    public void onComplete() {
                        throw new AssertionError("never completes");
                    }
                });
    }

    private void offer(int from, int to) {
        for (int i = from; i < to; i++) {
            int event = i;
            List.copyOf(listeners).forEach(listener -> listener.accept(event));
        }
    }

    /** Waits until all that was scheduled on the context has run. */
    private void settle() throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        context.runOnContext(now -> done.complete(null));
        done.get(10, TimeUnit.SECONDS);
    }

    @Test
    void aSlowSubscriberGetsTheNewestAndMissesTheOldest() throws Exception {
        subscribe();
        offer(0, 1_000);
        subscription.request(Long.MAX_VALUE);
        settle();
        assertThat(seen).hasSize(BoundedPublisher.BUFFERED_MAX).startsWith(936).endsWith(999);
    }

    @Test
    void givesNoMoreThanWasAskedFor() throws Exception {
        subscribe();
        subscription.request(2);
        offer(0, 5);
        settle();
        assertThat(seen).containsExactly(0, 1);
    }

    @Test
    void cancelClosesTheListenerAndForgetsWhatWaits() throws Exception {
        subscribe();
        offer(0, 5);
        subscription.cancel();
        subscription.request(5);
        settle();
        assertThat(listeners).isEmpty();
        assertThat(seen).isEmpty();
    }

    @Test
    void endsWithAnErrorWhenTheSubscriberIsNoLongerAllowed() throws Exception {
        subscribe();
        allowed = false;
        subscription.request(5);
        offer(0, 5);
        settle();
        assertThat(error).isInstanceOf(RefusedException.class);
        assertThat(listeners).isEmpty();
        assertThat(seen).isEmpty();
    }
}
