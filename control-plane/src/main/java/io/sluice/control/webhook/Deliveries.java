package io.sluice.control.webhook;

import io.sluice.control.config.WebhookChecks;
import io.sluice.control.owner.Takeover;
import io.sluice.control.secret.SecretBox;
import io.sluice.control.webhook.AlertStore.Delivery;
import io.sluice.control.webhook.AlertStore.Outcome;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.WebhookConfig;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings stored events to their webhooks: one at a time for each, again and later each time where one is not confirmed, until
 * {@link Redelivery} gives it up. Those that another node brings are left alone. Of one event loop.
 */
final class Deliveries {
    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

    private final Context loop;
    private final Supplier<Configuration> configuration;
    private final AlertStore store;
    private final Predicate<Alert.Key> brings;
    private final SecretBox box;
    private final WebhookClient client;
    private final AlertNotes notes;
    private final InstantSource clock;
    private final Map<WebhookOf, Future<Void>> busy = new HashMap<>();
    private boolean stopped;

    /** A webhook that is being called. */
    private record WebhookOf(TenantId tenant, String webhook) {}

    Deliveries(
            Context loop,
            Supplier<Configuration> configuration,
            AlertStore store,
            Predicate<Alert.Key> brings,
            SecretBox box,
            WebhookClient client,
            AlertNotes notes,
            InstantSource clock) {
        this.loop = loop;
        this.configuration = configuration;
        this.store = store;
        this.brings = brings;
        this.box = box;
        this.client = client;
        this.notes = notes;
        this.clock = clock;
    }

    /** Posts what is due, and what becomes due while that is under way. */
    void deliver() {
        if (stopped) {
            return;
        }
        onLoop(store.due(clock.instant()))
                .onSuccess(due -> due.forEach(this::deliver))
                .onFailure(failure -> LOG.error("events for webhooks can not be read", failure));
    }

    private void deliver(Delivery delivery) {
        Alert.Key key = delivery.alert().key();
        WebhookOf webhook = new WebhookOf(key.tenant(), key.webhook());
        if (stopped || busy.containsKey(webhook) || !brings.test(key)) {
            return;
        }
        Future<Void> attempt = onLoop(attempt(delivery));
        busy.put(webhook, attempt);
        attempt.onComplete(done -> {
            busy.remove(webhook);
            if (done.failed()) {
                LOG.error("the state of event {} is not stored", key.event(), done.cause());
            } else {
                deliver();
            }
        });
    }

    /** Begins nothing more; completes when what is under way has ended and is stored. */
    Future<Void> stop() {
        stopped = true;
        return Future.join(List.copyOf(busy.values())).mapEmpty();
    }

    private Future<Void> attempt(Delivery delivery) {
        Alert alert = delivery.alert();
        if (alert.key().webhook().equals(Alert.Key.AUDIT)) {
            return notes.happened(alert).compose(noted -> store.ended(alert.key(), Outcome.DELIVERED));
        }
        TenantTree tree = configuration.get().tenants().get(alert.key().tenant());
        WebhookConfig webhook =
                tree == null ? null : tree.webhooks().get(alert.key().webhook());
        if (webhook == null || !webhook.active()) {
            return store.ended(alert.key(), Outcome.DROPPED);
        }
        Future<Integer> answer = box.open(alert.key().tenant(), WebhookChecks.place(webhook.id()), webhook.secret())
                .map(secret -> client.post(webhook.url(), secret, alert, clock.instant()))
                .orElseGet(() -> Future.failedFuture("its secret can not be opened; write it again"));
        return answer.transform(result -> result.succeeded() && result.result() / 100 == 2
                ? store.ended(alert.key(), Outcome.DELIVERED)
                : failed(
                        delivery,
                        result.succeeded()
                                ? "status " + result.result()
                                : result.cause().getMessage()));
    }

    private Future<Void> failed(Delivery delivery, String why) {
        Alert alert = delivery.alert();
        int attempts = delivery.attempts() + 1;
        Instant now = clock.instant();
        Optional<Instant> next = Redelivery.next(alert.at(), attempts, now);
        LOG.info(
                "webhook {} of {} did not take {}: {}",
                alert.key().webhook(),
                alert.key().tenant(),
                alert.key().event(),
                why);
        return next.map(at -> store.failed(alert.key(), attempts, at))
                .orElseGet(() -> notes.gaveUp(new GivenUp(alert, attempts, why, now))
                        .compose(noted -> store.ended(alert.key(), Outcome.GIVEN_UP)));
    }

    /** A store completes on its own thread. */
    private <T> Future<T> onLoop(Future<T> future) {
        return Takeover.on(loop, future);
    }
}
