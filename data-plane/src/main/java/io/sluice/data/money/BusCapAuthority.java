package io.sluice.data.money;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapAuthority;
import io.sluice.tenants.message.BusMessage.AskAuthority;
import io.sluice.tenants.message.BusMessage.AuthorityAnswered;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The authority that answers on the bus. */
public final class BusCapAuthority implements CapAuthority {
    /** A disk that needs longer for one write is broken or drowned; what is not answered is asked again anyway. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private final Bus bus;

    public BusCapAuthority(Bus bus) {
        this.bus = bus;
    }

    @Override
    public CompletionStage<AuthorityAnswer> ask(AuthorityCommand command) {
        return bus.request(Address.AUTHORITY, new AskAuthority(command), AuthorityAnswered.class, ANSWER_MAX)
                .map(AuthorityAnswered::answer)
                .toCompletionStage();
    }
}
