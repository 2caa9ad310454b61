package io.sluice.data.money.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.data.money.LedgerRecord;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderTotals;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.money.TokenUsage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LedgerLineTest {
    private static final AccountKey DAY =
            new AccountKey(new TenantId("acme"), "end-user:ann|b", Period.of(CapPeriod.DAY, LocalDate.of(2026, 3, 28)));
    private static final AccountKey MONTH =
            new AccountKey(new TenantId("acme"), "tenant", Period.of(CapPeriod.MONTH, LocalDate.of(2026, 3, 28)));
    private static final Holder HOLDER = new Holder("n1", 3);

    private static final List<LedgerRecord> EACH = List.of(
            new LedgerRecord.Opened(HOLDER, 1_700_000_000_000L),
            new LedgerRecord.Granted(DAY, 1, Long.MAX_VALUE),
            new LedgerRecord.Settled("r1", List.of(DAY, MONTH), 5, 4, OutboxActorTest.facts("r1")),
            new LedgerRecord.Returned(MONTH, 7),
            new LedgerRecord.Finished(HOLDER, DAY),
            new LedgerRecord.Checkpoint(HOLDER, DAY, HolderTotals.NONE, true),
            new LedgerRecord.Forgotten(DAY));

    @Test
    void everyKindOfLineComesBackAsItWas() throws Exception {
        MemoryFiles files = new MemoryFiles();
        try (FileLedgerJournal journal = FileLedgerJournal.open(files, Texts.SMALL, line -> {}, cause -> {})) {
            EACH.forEach(journal::append);
        }
        List<LedgerRecord> found = new ArrayList<>();
        FileLedgerJournal.open(files, Texts.SMALL, found::add, cause -> {}).close();
        assertThat(found).isEqualTo(EACH);
    }

    @Test
    void everyKindOfLineHasItsNumber() {
        List<Class<?>> kinds =
                Arrays.stream(LineKind.values()).<Class<?>>map(LineKind::type).toList();
        assertThat(kinds).containsExactlyInAnyOrder(LedgerRecord.class.getPermittedSubclasses());
        assertThat(EACH).hasSize(kinds.size());
        assertThat(Stream.of(LineKind.values()).map(LineKind::number))
                .containsExactly((byte) 1, (byte) 2, (byte) 4, (byte) 6, (byte) 7, (byte) 8, (byte) 9)
                .doesNotContainAnyElementsOf(LineKind.PAST);
    }

    @Test
    void saysWhichReleaseToStartForALineOfANewerForm() {
        for (byte type : new byte[] {1, 4}) {
            JournalRecord newer = new JournalRecord(9, type, ByteBuffer.wrap(new byte[] {3, '{', '}'}));
            assertThatThrownBy(() -> LedgerLine.read(newer))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("record 9")
                    .hasMessageContaining("start the release that wrote it");
        }
    }

    @Test
    void readsTheJsonInWhichReleasesBeforeWroteASettledRequest() throws Exception {
        LedgerRecord settled = new LedgerRecord.Settled("r1", List.of(DAY, MONTH), 5, 4, OutboxActorTest.facts("r1"));
        byte[] json = StrictJson.MAPPER.writeValueAsBytes(settled);
        ByteBuffer payload = ByteBuffer.allocate(json.length + 1).put((byte) 1).put(json);
        assertThat(LedgerLine.read(new JournalRecord(9, (byte) 4, payload.flip())))
                .contains(settled);
    }

    @Test
    void readsTheJsonOfReleasesThatCountedNoCallsOfTools() {
        String json =
                "{\"requestId\":\"r1\",\"accounts\":[],\"heldMicros\":5,\"actualMicros\":4,\"facts\":{\"requestId\":\"r1\","
                        + "\"traceId\":\"t1\",\"at\":\"2026-03-02T10:00:00.500Z\",\"tenant\":\"acme\",\"app\":\"shop\","
                        + "\"scenario\":\"chat\",\"endUser\":\"ann\",\"charges\":[{\"step\":\"first\",\"provider\":\"openai\","
                        + "\"model\":\"m\",\"usage\":{\"input\":1,\"cachedInput\":2,\"cacheWrite\":3,\"output\":4,\"reasoning\":5,"
                        + "\"images\":6,\"estimated\":true},\"cost\":\"0.000007\",\"priceVersion\":\"v1\"}]}}";
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        ByteBuffer payload = ByteBuffer.allocate(bytes.length + 1).put((byte) 1).put(bytes);
        assertThat(LedgerLine.read(new JournalRecord(9, (byte) 4, payload.flip())))
                .hasValueSatisfying(line -> assertThat(((LedgerRecord.Settled) line)
                                .facts()
                                .charges()
                                .get(0)
                                .usage())
                        .isEqualTo(new TokenUsage(1, 2, 3, 4, 5, 6, 0, true)));
    }

    @Test
    void leavesOutWhatReleasesBeforeWroteOfReservations() {
        for (byte past : LineKind.PAST) {
            JournalRecord found = new JournalRecord(9, past, ByteBuffer.wrap(new byte[] {1, '{', '}'}));
            assertThat(LedgerLine.read(found)).isEmpty();
        }
    }

    @Test
    void aSettledRequestUnderFourCapsTakesUnderThreeHundredBytes() {
        LedgerRecord settled = new LedgerRecord.Settled(
                "r1", List.of(DAY, MONTH, DAY, MONTH, DAY, MONTH, DAY, MONTH), 5, 4, OutboxActorTest.facts("r1"));
        ByteBuffer out = ByteBuffer.allocate(4_096);
        new LedgerLine(settled).writeTo(out);
        assertThat(out.position()).isLessThan(300);
    }

    @Test
    void refusesWhatIsNoLine() {
        for (byte[] payload : List.of(new byte[0], new byte[] {1}, new byte[] {1, '{'})) {
            assertThatThrownBy(() -> LedgerLine.read(new JournalRecord(9, (byte) 1, ByteBuffer.wrap(payload))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("record 9");
        }
        for (byte[] payload : List.of(new byte[] {2}, new byte[] {2, 1, 5, 'r'}, new byte[] {2, 0, 0, 0, 0, 0, 9})) {
            assertThatThrownBy(() -> LedgerLine.read(new JournalRecord(9, (byte) 4, ByteBuffer.wrap(payload))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("record 9");
        }
        assertThatThrownBy(() -> LedgerLine.read(new JournalRecord(9, (byte) 99, ByteBuffer.wrap(new byte[] {1, '{'}))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
