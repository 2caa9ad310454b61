package io.sluice.data.money.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.money.LedgerRecord;
import io.sluice.data.money.journal.SpendTail.Lines;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.SpendEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpendTailTest {
    private final SpendTail tail = new SpendTail(10);

    private void settled(long from, long to) {
        for (long seq = from; seq <= to; seq++) {
            String id = "r" + seq;
            tail.durable(
                    seq, new LedgerLine(new LedgerRecord.Settled(id, List.of(), 0, 1_000, OutboxActorTest.facts(id))));
        }
    }

    private static List<Long> seqs(Lines lines) {
        return lines.tally().charges().entries().stream().map(SpendEntry::seq).toList();
    }

    @Test
    void givesWhatCameSinceTheLastTime() {
        settled(11, 12);
        assertThat(seqs(tail.take(10))).containsExactly(11L, 12L);
        settled(13, 13);
        Lines next = tail.take(12);
        assertThat(next.afterSeq()).isEqualTo(12);
        assertThat(next.upToSeq()).isEqualTo(13);
        assertThat(seqs(next)).containsExactly(13L);
    }

    @Test
    void movesOnOverLinesThatAreNoSpend() {
        tail.durable(11, new LedgerLine(new LedgerRecord.Opened(new Holder("n1", 1), 0)));
        Lines lines = tail.take(10);
        assertThat(lines.upToSeq()).isEqualTo(11);
        assertThat(lines.tally().requests()).isZero();
    }

    @Test
    void hasNotWhatStandsBeforeItsBeginAndKeepsTheRest() {
        settled(11, 12);
        assertThat(tail.take(7)).isNull();
        assertThat(tail.after()).isEqualTo(10);
        assertThat(seqs(tail.take(10))).containsExactly(11L, 12L);
    }

    @Test
    void isGivenUpWhereNobodyFetchesItAndBeginsAnewBehindTheNewestLine() {
        settled(11, 11 + SpendTail.REQUESTS_MAX);
        assertThat(tail.take(10)).isNull();
        long behind = 11L + SpendTail.REQUESTS_MAX;
        assertThat(tail.after()).isEqualTo(behind);
        settled(behind + 1, behind + 1);
        assertThat(seqs(tail.take(behind))).containsExactly(behind + 1);
    }

    @Test
    void beginsAnewWhereFinanceIsFurther() {
        settled(11, 12);
        assertThat(tail.take(99)).isNull();
        assertThat(tail.after()).isEqualTo(12);
    }
}
