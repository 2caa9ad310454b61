package io.sluice.tenants.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.Seeds;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SpendTallyPropertyTest {
    private static <T> T one(SplittableRandom random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static SpendFacts.Charge charge(SplittableRandom random) {
        TokenUsage usage = new TokenUsage(
                random.nextLong(1 << 20),
                random.nextInt(100),
                random.nextInt(3),
                random.nextInt(10_000),
                random.nextInt(100),
                random.nextInt(3),
                random.nextInt(3) * (long) random.nextInt(200),
                random.nextBoolean());
        boolean priced = random.nextInt(5) > 0;
        return new SpendFacts.Charge(
                one(random, List.of("first", "last")),
                "openai",
                one(random, List.of("big", "small")),
                usage,
                priced ? new Money(random.nextLong(1L << 40)) : null,
                priced ? one(random, List.of("2026-01-01.abc", "2026-02-01.def")) : null);
    }

    private static SpendFacts facts(SplittableRandom random) {
        List<SpendFacts.Charge> charges = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            charges.add(charge(random));
        }
        return new SpendFacts(
                Long.toString(random.nextLong(), Character.MAX_RADIX),
                random.nextInt(9) == 0 ? null : Long.toHexString(random.nextLong()),
                Instant.ofEpochSecond(1_772_000_000L + random.nextInt(3_000), random.nextInt(1_000_000_000)),
                new TenantId(one(random, List.of("acme", "globex"))),
                one(random, Arrays.asList("shop", null)),
                one(random, List.of("chat", "café")),
                one(random, Arrays.asList("ann", "bob", null)),
                charges);
    }

    private static List<SpendEntry> lines(SplittableRandom random) {
        List<SpendEntry> lines = new ArrayList<>();
        long seq = random.nextInt(1_000);
        for (int i = random.nextInt(50); i > 0; i--) {
            seq += random.nextInt(1, 500);
            lines.add(new SpendEntry(seq, facts(random)));
        }
        return lines;
    }

    private static SpendTally tally(List<SpendEntry> lines) {
        SpendTally tally = new SpendTally();
        lines.forEach(line -> tally.add(line.seq(), line.facts()));
        return tally;
    }

    /** What all charges of a key come to, the plain way. */
    private static Map<SpendKey, Long> byKey(List<SpendEntry> lines, ToLongFunction<SpendFacts.Charge> figure) {
        return lines.stream()
                .flatMap(line -> line.facts().charges().stream().map(charge -> Map.entry(line.facts(), charge)))
                .collect(Collectors.groupingBy(
                        each -> SpendKey.of(each.getKey(), each.getValue()),
                        Collectors.summingLong(each -> figure.applyAsLong(each.getValue()))));
    }

    private static Map<SpendKey, Long> byKey(SpendTally tally, ToLongFunction<SpendSum> figure) {
        return tally.sums().stream().collect(Collectors.toMap(SpendSum::key, figure::applyAsLong));
    }

    @Test
    void everySumIsThatOfItsCharges() {
        Seeds.check(500, random -> {
            List<SpendEntry> lines = lines(random);
            SpendTally tally = tally(lines);
            assertThat(byKey(tally, SpendSum::costMicros))
                    .isEqualTo(byKey(
                            lines,
                            charge -> charge.cost() == null ? 0 : charge.cost().micros()));
            assertThat(byKey(tally, SpendSum::calls)).isEqualTo(byKey(lines, charge -> 1));
            assertThat(byKey(tally, SpendSum::unpriced))
                    .isEqualTo(byKey(lines, charge -> charge.cost() == null ? 1 : 0));
            assertThat(byKey(tally, SpendSum::input))
                    .isEqualTo(byKey(lines, charge -> charge.usage().input()));
            assertThat(byKey(tally, SpendSum::cachedInput))
                    .isEqualTo(byKey(lines, charge -> charge.usage().cachedInput()));
            assertThat(byKey(tally, SpendSum::cacheWrite))
                    .isEqualTo(byKey(lines, charge -> charge.usage().cacheWrite()));
            assertThat(byKey(tally, SpendSum::output))
                    .isEqualTo(byKey(lines, charge -> charge.usage().output()));
            assertThat(byKey(tally, SpendSum::reasoning))
                    .isEqualTo(byKey(lines, charge -> charge.usage().reasoning()));
            assertThat(byKey(tally, SpendSum::serverToolCalls))
                    .isEqualTo(byKey(lines, charge -> charge.usage().serverToolCalls()));
        });
    }

    @Test
    void aRequestCountsOnceWhereItWasAnsweredLast() {
        Seeds.check(500, random -> {
            List<SpendEntry> lines = lines(random);
            long charged = lines.stream()
                    .filter(line -> !line.facts().charges().isEmpty())
                    .count();
            SpendTally tally = tally(lines);
            assertThat(tally.sums().stream().mapToLong(SpendSum::requests).sum())
                    .isEqualTo(charged);
            assertThat(tally.requests()).isEqualTo(charged);
        });
    }

    @Test
    void thePackHasEachChargedRequestAsItWas() {
        Seeds.check(500, random -> {
            List<SpendEntry> lines = lines(random);
            ChargePack pack = tally(lines).charges();
            assertThat(pack.entries())
                    .isEqualTo(lines.stream()
                            .filter(line -> !line.facts().charges().isEmpty())
                            .toList());
            assertThat(ChargePack.ofBase64(pack.base64())).isEqualTo(pack).hasSameHashCodeAs(pack);
            assertThat(ChargePack.of(pack.bytes())).isEqualTo(pack);
        });
    }

    @Test
    void aRequestTakesUnderAHundredBytesInAPackOfMany() {
        SplittableRandom random = new SplittableRandom(1);
        SpendTally tally = new SpendTally();
        for (int seq = 1; seq <= 1_000; seq++) {
            tally.add(
                    seq,
                    new SpendFacts(
                            Integer.toString(seq),
                            "0af7651916cd43dd8448eb211c80319c",
                            Instant.ofEpochSecond(1_772_000_000L, seq),
                            new TenantId("acme"),
                            "shop",
                            "chat",
                            "ann",
                            List.of(charge(random))));
        }
        assertThat(tally.charges().bytes().length).isLessThan(100_000);
    }

    @Test
    void nothingMakesAnEmptyPack() {
        assertThat(new SpendTally().charges()).isEqualTo(ChargePack.NONE);
        assertThat(ChargePack.NONE.entries()).isEmpty();
    }

    /** As releases packed it before they knew of calls of providers' tools. */
    private static final String BEFORE =
            "AQMBAnIxAQJ0McD+qpoNgMq17gEBBGFjbWUBBHNob3ABBGNoYXQBA2FubgIBBWZpcnN0AQZvcGVuYWkBAW0BAgMEBQYBAQ4BAnYxAQRsYXN0"
                    + "BwEBbqwCAAAUAAAAAAA=";

    private static SpendFacts packedBefore(long serverToolCalls) {
        TokenUsage first = new TokenUsage(1, 2, 3, 4, 5, 6, serverToolCalls, true);
        TokenUsage last = new TokenUsage(300, 0, 0, 20, 0, false);
        return new SpendFacts(
                "r1",
                "t1",
                Instant.parse("2026-03-02T10:00:00.5Z"),
                new TenantId("acme"),
                "shop",
                "chat",
                "ann",
                List.of(
                        new SpendFacts.Charge("first", "openai", "m", first, new Money(7), "v1"),
                        new SpendFacts.Charge("last", "openai", "n", last, null, null)));
    }

    @Test
    void aPackWithoutCallsOfToolsIsWhatItWasBeforeThereWereAny() {
        SpendEntry entry = new SpendEntry(3, packedBefore(0));
        assertThat(ChargePack.ofBase64(BEFORE).entries()).containsExactly(entry);
        assertThat(tally(List.of(entry)).charges().base64()).isEqualTo(BEFORE);
    }

    @Test
    void callsOfToolsTakeAByteOfTheirCharge() {
        SpendEntry entry = new SpendEntry(3, packedBefore(2));
        ChargePack pack = tally(List.of(entry)).charges();
        assertThat(pack.entries()).containsExactly(entry);
        assertThat(pack.size()).isEqualTo(ChargePack.ofBase64(BEFORE).size() + 1);
    }

    @Test
    void refusesMarksOfANewerRelease() {
        byte[] marked = ChargePack.ofBase64(BEFORE).bytes();
        int marks = new String(marked, StandardCharsets.ISO_8859_1).indexOf("\2\3\4\5\6\1") + 5;
        marked[marks] = 4;
        assertThatThrownBy(() -> ChargePack.of(marked).entries())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("newer release");
    }

    /** The sum as releases before wrote it to each other. */
    @Test
    void aSumIsReadWithoutCallsOfTools() throws Exception {
        String json = "{\"key\":{\"tenant\":\"acme\",\"quarter\":1969384,\"app\":\"shop\",\"scenario\":\"chat\","
                + "\"provider\":\"openai\",\"model\":\"m\",\"step\":\"first\",\"endUser\":\"ann\",\"priceVersion\":\"v1\","
                + "\"estimated\":true},\"requests\":0,\"calls\":1,\"input\":1,\"cachedInput\":2,\"cacheWrite\":3,\"output\":4,"
                + "\"reasoning\":5,\"costMicros\":7,\"unpriced\":0}";
        SpendSum sum = StrictJson.MAPPER.readValue(json, SpendSum.class);
        assertThat(tally(List.of(new SpendEntry(3, packedBefore(0)))).sums()).contains(sum);
        assertThat(StrictJson.MAPPER.writeValueAsString(sum)).isEqualTo(json);
    }

    @Test
    void refusesAPackOfANewerRelease() {
        assertThatThrownBy(() -> ChargePack.of(new byte[] {2, 1}).entries())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("form 2");
    }

    @Test
    void aQuarterOfAnHourBeginsWithItsFirstInstantAlsoBefore1970() {
        assertThat(SpendKey.quarterOf(Instant.ofEpochSecond(899))).isZero();
        assertThat(SpendKey.quarterOf(Instant.ofEpochSecond(900))).isEqualTo(1);
        assertThat(SpendKey.quarterOf(Instant.ofEpochSecond(-1))).isEqualTo(-1);
    }
}
