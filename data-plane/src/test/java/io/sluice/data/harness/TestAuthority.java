package io.sluice.data.harness;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.ledger.AccountDecider.Step;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.Authority;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.CapTerms;
import io.sluice.tenants.ledger.TenantCalendar;
import io.sluice.tenants.message.BusMessage.AuthorityAnswered;
import io.sluice.tenants.message.BusMessage.CapsPublished;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The authority over the caps of a test's configuration, in memory: it answers on the bus as the owner of the ledger does. */
public final class TestAuthority {
    private final Bus bus;
    private final Supplier<Configuration> configuration;
    private final InstantSource clock;
    private final Authority authority;
    private volatile boolean away;

    TestAuthority(Bus bus, Supplier<Configuration> configuration, InstantSource clock) {
        this.bus = bus;
        this.configuration = configuration;
        this.clock = clock;
        authority = new Authority(1, clock.instant(), Set.of(), this::terms);
    }

    Future<?> listen() {
        return bus.answer(Address.AUTHORITY, asked -> {
            if (away) {
                return Future.failedFuture("the record of spend caps can't be reached");
            }
            synchronized (authority) {
                List<Step> steps = authority.apply(asked.command(), clock.instant());
                return Future.succeededFuture(
                        new AuthorityAnswered(steps.get(steps.size() - 1).answer()));
            }
        });
    }

    /** Whether what it keeps can't be reached from now on; then it answers nothing. */
    public void away(boolean isAway) {
        away = isAway;
    }

    private CapTerms terms(AccountKey account) {
        Configuration now = configuration.get();
        TenantTree tree = now.tenants().get(account.tenant());
        SpendCapConfig cap = tree == null ? null : tree.spendCaps().get(account.capId());
        if (cap == null || cap.removed()) {
            return new CapTerms(now.epoch(), false, 0, Instant.EPOCH, Instant.EPOCH);
        }
        TenantCalendar calendar = tree.tenant().calendar();
        return new CapTerms(
                now.epoch(),
                true,
                cap.limit().micros(),
                calendar.beginOf(account.period()),
                calendar.endOf(account.period()));
    }

    /** Puts caps that were changed in force and tells nodes how all stand. */
    public void publish() {
        Instant now = clock.instant();
        synchronized (authority) {
            authority.states().forEach(state -> authority.refresh(state.account(), now));
            List<CapFigures> figures = authority.states().stream()
                    .map(state -> CapFigures.of(state, now))
                    .toList();
            bus.publish(Address.CAPS, new CapsPublished(figures, now));
        }
    }

    /** How an account stands; null where nothing was asked of it. Nodes report once a second. */
    public AccountState state(AccountKey account) {
        synchronized (authority) {
            return authority.state(account);
        }
    }

    /** All accounts. */
    public List<AccountState> states() {
        synchronized (authority) {
            return List.copyOf(authority.states());
        }
    }
}
