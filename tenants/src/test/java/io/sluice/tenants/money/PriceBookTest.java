package io.sluice.tenants.money;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PriceBookTest {
    private static final Instant MAY = Instant.parse("2026-05-01T00:00:00Z");
    private static final Instant JUNE = Instant.parse("2026-06-01T00:00:00Z");

    private final PriceBook book = new PriceBook(List.of(from(JUNE, 2), from(MAY, 1)));

    @Test
    void beforeTheFirstPriceThereIsNone() {
        assertThat(book.at(MAY.minusNanos(1))).isEmpty();
        assertThat(PriceBook.EMPTY.at(MAY)).isEmpty();
    }

    @Test
    void aPriceHoldsFromItsFirstInstantOn() {
        assertThat(book.at(MAY)).contains(from(MAY, 1));
        assertThat(book.at(JUNE.minusNanos(1))).contains(from(MAY, 1));
        assertThat(book.at(JUNE)).contains(from(JUNE, 2));
        assertThat(book.at(Instant.MAX)).contains(from(JUNE, 2));
    }

    @Test
    void theOrderOfWritingDoesNotMatter() {
        assertThat(book).isEqualTo(new PriceBook(List.of(from(MAY, 1), from(JUNE, 2))));
    }

    private static Price from(Instant at, long micros) {
        return new Price(at, new Money(micros), new Money(micros), null, null);
    }
}
