package io.sluice.control.webhook;

import io.sluice.control.api.BalanceStanding;
import io.sluice.control.budget.BalanceDesk;
import io.sluice.control.owner.Takeover;
import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.WebhookConfig;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the prepaid accounts of this node's tenants, or the platform's where that is this node's, every some minutes and warns where one is about to run out: once for each declaration, in the audit log and to
 * each webhook of the account's tenant. Owns no state: what was told is in the {@link AlertStore}, by names that follow from what it says.
 */
public final class BalanceActor extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(BalanceActor.class);

    /** It warns days before; a look at the platform's accounts reads the sums of all tenants. */
    public static final Duration LOOK = Duration.ofMinutes(5);

    /** After a start nobody should wait for minutes to learn what happened meanwhile. */
    private static final long FIRST_LOOK_MS = 1_000;

    /** A declaration that is older tells nothing any more. */
    private static final Duration REMEMBERED = Duration.ofDays(3_650);

    private final Owners owners;
    private final Supplier<Configuration> configuration;
    private final BalanceDesk desk;
    private final AlertStore store;
    private final Duration look;
    private boolean looking;

    /** What is posted. Amounts are decimals in {@code currency}; {@code tenant} is null for the platform's accounts. */
    private record Body(
            String id,
            String type,
            Instant at,
            String tenant,
            String provider,
            Money amount,
            Instant declaredAt,
            Money spent,
            Money left,
            Money burnPerDay,
            Instant runsOutAt,
            String currency) {}

    /** @param look time between two looks, such as {@link #LOOK} */
    public BalanceActor(
            Owners owners, Supplier<Configuration> configuration, BalanceDesk desk, AlertStore store, Duration look) {
        this.owners = owners;
        this.configuration = configuration;
        this.desk = desk;
        this.store = store;
        this.look = look;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(FIRST_LOOK_MS, look.toMillis(), timer -> look());
        return Future.succeededFuture();
    }

    private void look() {
        if (!looking) {
            looking = true;
            Takeover.on(context, lookAtAll())
                    .onFailure(failure -> LOG.error("prepaid accounts could not be looked at", failure))
                    .onComplete(done -> looking = false);
        }
    }

    /** One owner after another, so that reports of people get in between. */
    private Future<Void> lookAtAll() {
        Configuration present = configuration.get();
        Future<Void> done = Future.succeededFuture();
        if (!present.platform().balances().isEmpty() && owners.mine(Alert.Key.owned(null))) {
            done = warn(null, List.of());
        }
        for (TenantTree tree : present.tenants().values()) {
            boolean mine = owners.mine(Alert.Key.owned(tree.tenant().id()));
            if (mine && !tree.catalog().balances().isEmpty()) {
                List<String> webhooks = tree.webhooks().values().stream()
                        .filter(WebhookConfig::active)
                        .map(WebhookConfig::id)
                        .toList();
                done = done.compose(before -> warn(tree.tenant().id(), webhooks));
            }
        }
        return done;
    }

    private Future<Void> warn(TenantId owner, List<String> webhooks) {
        return desk.of(owner).compose(standings -> {
            List<Alert> alerts = new ArrayList<>();
            standings.stream()
                    .filter(BalanceStanding::low)
                    .forEach(low -> Stream.concat(Stream.of(Alert.Key.AUDIT), webhooks.stream())
                            .forEach(webhook -> alerts.add(alert(low, webhook))));
            return alerts.isEmpty() ? Future.succeededFuture() : store.add(alerts);
        });
    }

    private static Alert alert(BalanceStanding low, String webhook) {
        String what = "balance|" + low.version();
        String id = EventId.of(low.provider().key(), what);
        TenantId owner = low.provider().tenant();
        Body body = new Body(
                id,
                "balance.low",
                low.at(),
                owner == null ? null : owner.value(),
                low.provider().id(),
                low.amount(),
                low.declaredAt(),
                low.spent(),
                low.left(),
                low.burnPerDay(),
                low.runsOutAt(),
                low.currency());
        return new Alert(
                new Alert.Key(owner, webhook, id),
                low.provider().key(),
                what,
                low.at(),
                low.at().plus(REMEMBERED),
                CapEvents.json(body));
    }
}
