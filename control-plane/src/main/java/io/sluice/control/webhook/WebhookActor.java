package io.sluice.control.webhook;

import io.sluice.control.budget.CapAlert;
import io.sluice.control.budget.CapAlerts;
import io.sluice.control.budget.CapBoard;
import io.sluice.control.secret.SecretBox;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.net.AddressRule;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns what webhooks were told, on one loop since each alert follows from those before: looks at the caps every second, stores what is new,
 * and posts what is stored until it is confirmed, one event at a time for each webhook. In: standings of the {@link CapBoard}. Out: signed
 * POST requests; a note where one is given up.
 */
public final class WebhookActor extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookActor.class);

    /** As often as the ledger tells figures. */
    private static final long LOOK_MS = 1_000;

    private static final long PURGE_MS = 3_600_000;

    /** What ended is kept a while for people who ask whether it was delivered. */
    private static final Duration KEPT = Duration.ofDays(35);

    private final Supplier<Configuration> configuration;
    private final CapBoard board;
    private final AlertStore store;
    private final SecretBox box;
    private final AddressRule rule;
    private final AlertNotes notes;
    private final InstantSource clock;
    private CapAlerts alerts;
    private boolean storing;
    private WebhookClient client;
    private Deliveries deliveries;

    /**
     * @param configuration that serves now
     * @param rule where webhooks may be
     * @param notes where it is written down what became of events
     */
    public WebhookActor(
            Supplier<Configuration> configuration,
            CapBoard board,
            AlertStore store,
            SecretBox box,
            AddressRule rule,
            AlertNotes notes,
            InstantSource clock) {
        this.configuration = configuration;
        this.board = board;
        this.store = store;
        this.box = box;
        this.rule = rule;
        this.notes = notes;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        client = new WebhookClient(vertx, rule);
        deliveries = new Deliveries(context, configuration, store, box, client, notes, clock);
        return Deliveries.on(context, store.told(clock.instant())).map(told -> {
            alerts = CapAlerts.of(
                    told.stream().map(CapEvents::fact).filter(Objects::nonNull).toList());
            vertx.setPeriodic(0, PURGE_MS, timer -> store.purge(clock.instant().minus(KEPT)));
            return vertx.setPeriodic(LOOK_MS, timer -> look());
        });
    }

    @Override
    public Future<?> stop() {
        // Calls under way are cut: they are made again after the next start.
        return Future.join(client.close(), deliveries.stop());
    }

    private void look() {
        notice();
        deliveries.deliver();
    }

    private void notice() {
        Configuration present = configuration.get();
        CapAlerts.Next next = alerts.next(present, board.all(), clock.instant());
        if (next.due().isEmpty() || storing) {
            return;
        }
        storing = true;
        List<Alert> due = next.due().stream().map(each -> alert(present, each)).toList();
        Deliveries.on(context, store.add(due)).onComplete(stored -> {
            storing = false;
            if (stored.succeeded()) {
                alerts = next.after();
                deliveries.deliver();
            } else {
                LOG.error("events for webhooks are not stored; they are tried again", stored.cause());
            }
        });
    }

    private static Alert alert(Configuration configuration, CapAlert due) {
        return CapEvents.alert(
                due, configuration.tenants().get(due.tenant()).tenant().currency());
    }
}
