package io.sluice.control.webhook;

import io.sluice.control.api.CapStanding;
import io.sluice.control.budget.CapAlert;
import io.sluice.control.budget.CapAlerts;
import io.sluice.control.budget.CapBoard;
import io.sluice.control.owner.Takeover;
import io.sluice.control.secret.SecretBox;
import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.net.AddressRule;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns what the webhooks of this node's tenants were told, on one loop since each alert follows from those before: looks at the caps every
 * second, stores what is new, and posts what is stored until it is confirmed, one event at a time for each webhook. Where the node comes to
 * own a tenant it first takes over what the owner before told and did not bring any more; tenants of other nodes it leaves alone. In:
 * standings of the {@link CapBoard}. Out: signed POST requests; a note where one is given up.
 */
public final class WebhookActor extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookActor.class);

    /** As often as the ledger tells figures. */
    private static final long LOOK_MS = 1_000;

    private static final long PURGE_MS = 3_600_000;

    /** What ended is kept a while for people who ask whether it was delivered. */
    private static final Duration KEPT = Duration.ofDays(35);

    private final Owners owners;
    private final Supplier<Configuration> configuration;
    private final CapBoard board;
    private final SharedAlertStore store;
    private final SecretBox box;
    private final AddressRule rule;
    private final AlertNotes notes;
    private final InstantSource clock;
    private CapAlerts alerts = CapAlerts.of(List.of());
    private boolean storing;
    private Map<TenantId, TenantTree> ownedOf;
    private Set<String> owned = Set.of();
    private WebhookClient client;
    private Deliveries deliveries;
    private Takeover<String> takeover;

    /**
     * @param configuration that serves now
     * @param rule where webhooks may be
     * @param notes where it is written down what became of events
     */
    public WebhookActor(
            Owners owners,
            Supplier<Configuration> configuration,
            CapBoard board,
            SharedAlertStore store,
            SecretBox box,
            AddressRule rule,
            AlertNotes notes,
            InstantSource clock) {
        this.owners = owners;
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
        takeover = new Takeover<>(context, owners::mine, this::load);
        deliveries = new Deliveries(context, configuration, store, this::brings, box, client, notes, clock);
        vertx.setPeriodic(0, PURGE_MS, timer -> store.purge(clock.instant().minus(KEPT)));
        vertx.setPeriodic(LOOK_MS, timer -> takeover.take(owned(), this::look));
        return load();
    }

    @Override
    public Future<?> stop() {
        // Calls under way are cut: they are made again after the next start.
        return Future.join(client.close(), deliveries.stop());
    }

    /** What the platform's accounts tell is owned, too. Made once per configuration, since it names every tenant. */
    private Set<String> owned() {
        Map<TenantId, TenantTree> tenants = configuration.get().tenants();
        if (ownedOf != tenants) {
            ownedOf = tenants;
            owned = Stream.concat(Stream.of((TenantId) null), tenants.keySet().stream())
                    .map(Alert.Key::owned)
                    .collect(Collectors.toSet());
        }
        return owned;
    }

    private Future<Void> load() {
        Future<List<Alert>> told = store.adopt(key -> owners.mine(key.owned()))
                .otherwiseEmpty()
                .compose(adopted -> store.told(clock.instant()));
        return Takeover.on(context, told).map(all -> {
            alerts = CapAlerts.of(
                    all.stream().map(CapEvents::fact).filter(Objects::nonNull).toList());
            return null;
        });
    }

    /** Nobody takes over a tenant that is no more: its owner ends what is left. */
    private boolean brings(Alert.Key key) {
        boolean gone = key.tenant() != null && !configuration.get().tenants().containsKey(key.tenant());
        return takeover.holds(key.owned()) || (gone && owners.mine(key.owned()));
    }

    private void look() {
        notice();
        deliveries.deliver();
    }

    private void notice() {
        Configuration present = configuration.get();
        List<CapStanding> held = board.all().stream()
                .filter(standing ->
                        takeover.holds(Alert.Key.owned(standing.account().tenant())))
                .toList();
        List<CapAlert> due = alerts.next(present, held, clock.instant()).due();
        if (due.isEmpty() || storing) {
            return;
        }
        storing = true;
        List<Alert> stored = due.stream().map(each -> alert(present, each)).toList();
        Takeover.on(context, store.add(stored)).onComplete(done -> {
            storing = false;
            if (done.succeeded()) {
                alerts = alerts.told(due, clock.instant());
                deliveries.deliver();
            } else {
                LOG.error("events for webhooks are not stored; they are tried again", done.cause());
            }
        });
    }

    private static Alert alert(Configuration configuration, CapAlert due) {
        return CapEvents.alert(
                due, configuration.tenants().get(due.tenant()).tenant().currency());
    }
}
