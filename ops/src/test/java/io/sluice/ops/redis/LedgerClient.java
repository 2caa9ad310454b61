package io.sluice.ops.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityAnswer.Outcome;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderTotals;
import java.util.Map;

/** A holder that asks for slices one at a time, as a node does, and remembers what it was granted. One thread. */
final class LedgerClient {
    private final LedgerNode node;
    private final Holder me;
    private final AccountKey account;
    private long epoch;
    private long seq;
    private long no;
    private long grantedMicros;

    LedgerClient(LedgerNode node, AccountKey account) {
        this.node = node;
        this.me = new Holder(node.name(), 1);
        this.account = account;
    }

    long grantedMicros() {
        return grantedMicros;
    }

    long epoch() {
        return epoch;
    }

    private HolderTotals totals() {
        return new HolderTotals(++no, seq, grantedMicros, 0, 0, 0);
    }

    /** The next question for {@code micros}, any part of which is welcome. */
    AuthorityCommand.Grant next(long micros) {
        return new AuthorityCommand.Grant(account, me, epoch, seq + 1, 1, micros, 0, 1, totals());
    }

    AuthorityAnswer ask(AuthorityCommand command) throws Exception {
        return LedgerNode.await(node.ask(command));
    }

    /** Asks, joining the epoch that holds first where it has to; takes what was granted. */
    AuthorityAnswer draw(long micros) throws Exception {
        AuthorityAnswer answer = ask(next(micros));
        if (answer.outcome() == Outcome.OLD_EPOCH) {
            assertThat(reconcile(answer.epoch())).isEqualTo(Outcome.DONE);
            answer = ask(next(micros));
        }
        take(answer);
        return answer;
    }

    /** Says what it has to the epoch that holds now. */
    Outcome reconcile(long now) throws Exception {
        epoch = now;
        AuthorityCommand.Reconcile all = new AuthorityCommand.Reconcile(account, me, epoch, Map.of(me, totals()));
        return ask(all).outcome();
    }

    void take(AuthorityAnswer answer) {
        if (answer.outcome() == Outcome.GRANTED || answer.outcome() == Outcome.DENIED) {
            seq = answer.seq();
            grantedMicros += answer.micros();
        }
    }
}
