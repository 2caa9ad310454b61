package io.sluice.control;

import io.sluice.control.api.SpendStatements;
import io.sluice.control.spend.SpendDesk;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.message.BusMessage.AskAuthority;
import io.sluice.tenants.message.BusMessage.AuthorityAnswered;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** What finance corrects counts in the tenant's own caps, too: in that of the day and in that of its month. Thread-safe. */
final class CapCorrections implements SpendDesk.CapNote {
    /** The ledger's owner answers within milliseconds; one that needs longer is as good as gone. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);

    private final Bus bus;
    private final Supplier<Configuration> configuration;

    CapCorrections(Bus bus, Supplier<Configuration> configuration) {
        this.bus = bus;
        this.configuration = configuration;
    }

    @Override
    public Future<Void> corrected(TenantId tenant, SpendStatements.Entry entry) {
        List<Future<AuthorityAnswered>> asked = configuration.get().tenants().get(tenant).spendCaps().values().stream()
                .filter(cap -> cap.scope() == CapScope.TENANT && !cap.removed())
                .map(cap -> new AuthorityCommand.Adjust(
                        new AccountKey(tenant, cap.id(), Period.of(cap.period(), entry.day())),
                        "statement-" + entry.no(),
                        entry.amount().micros(),
                        entry.reason()))
                .map(adjust -> bus.request(
                        Address.AUTHORITY, new AskAuthority(adjust), AuthorityAnswered.class, ANSWER_TIMEOUT))
                .toList();
        return Future.all(asked).mapEmpty();
    }
}
