package io.sluice.tenants.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SliceSizeTest {
    @ParameterizedTest
    @CsvSource({
        // least, need, wish, usual, available, nodes -> granted
        "0,   0,  500,  10, 10000, 1,  500", // what it wishes
        "0,   0, 9000,  10, 10000, 1, 5000", // half of what is left at most
        "0,   0, 9000,  10, 12000, 3, 2000", // and that shared
        "0,   0,    0,  10, 10000, 1,   10", // one usual request at least
        "70, 70,    0,  10, 10000, 1,   70", // whatever is needed now
        "70, 90, 9000, 500,   400, 1,   90", // near the cap: exactly that
        "0,   0, 9000, 500,   400, 1,    0", // and nothing for later
        "70, 90, 9000, 500,    80, 1,   80", // some of those who wait can go on
        "70, 90, 9000, 500,    69, 1,    0", // none can
        "0,  40,    0, 500,    30, 1,   30", // an overdraft is covered as far as it goes
        "1,   1,    0, 500,     0, 1,    0",
        "1,   1,    0, 500,    -5, 1,    0",
    })
    void aSliceIs(long least, long need, long wish, long usual, long available, int nodes, long granted) {
        AuthorityCommand.Grant grant = new AuthorityCommand.Grant(
                AccountKey.ofKey("acme|2026-03|cap"),
                new Holder("one", 1),
                0,
                1,
                least,
                need,
                wish,
                usual,
                HolderTotals.NONE);
        assertThat(SliceSize.decide(grant, available, nodes)).isEqualTo(granted);
    }
}
