package io.sluice.control.spend;

import static io.sluice.control.spend.SpendLogContract.adjusted;
import static io.sluice.control.spend.SpendLogContract.closed;
import static io.sluice.control.spend.SpendLogContract.shipped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.control.spend.SpendLogEntry.Began;
import io.sluice.control.spend.SpendLogEntry.Shipped;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.ledger.ChargePack;
import io.sluice.tenants.ledger.SpendKey;
import io.sluice.tenants.ledger.SpendSum;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;

class SpendLogFormTest {
    private static final List<String> WORDS =
            Arrays.asList(null, "", "shop", "chat", "gr\u00fc\u00df|gott", "\ud83d\ude42", "x".repeat(500));

    private static String word(SplittableRandom random) {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    private static long number(SplittableRandom random) {
        return random.nextLong() >> random.nextInt(64);
    }

    private static SpendSum sum(SplittableRandom random) {
        SpendKey key = new SpendKey(
                new TenantId("tenant-" + random.nextInt(20)),
                number(random),
                word(random),
                word(random),
                word(random),
                word(random),
                word(random),
                word(random),
                word(random),
                random.nextBoolean());
        return new SpendSum(
                key,
                number(random),
                number(random),
                number(random),
                number(random),
                number(random),
                number(random),
                number(random),
                random.nextBoolean() ? 0 : number(random),
                number(random),
                number(random));
    }

    private static Shipped any(SplittableRandom random) {
        List<SpendSum> sums = new ArrayList<>();
        for (int i = random.nextInt(30); i > 0; i--) {
            sums.add(sum(random));
        }
        byte[] charges = new byte[random.nextInt(3_000)];
        random.nextBytes(charges);
        SpendShipped shipped = new SpendShipped(
                "node-" + random.nextInt(3),
                number(random),
                number(random),
                number(random),
                sums,
                ChargePack.of(charges));
        return new Shipped(shipped, Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)));
    }

    @Test
    void everyEntryComesBackAsItWas() {
        for (SpendLogEntry each : List.of(shipped("n1", 3), adjusted("c"), closed(), new Began("n1"))) {
            assertThat(SpendLogForm.read(SpendLogForm.write(each))).isEqualTo(each);
        }
        for (long seed = 0; seed < 500; seed++) {
            Shipped any = any(new SplittableRandom(seed));
            assertThat(SpendLogForm.read(SpendLogForm.write(any)))
                    .as("seed " + seed)
                    .isEqualTo(any);
        }
    }

    /** A packed shipment as releases wrote it before they knew of calls of providers' tools. */
    private static final String BEFORE =
            "AXgBVc0xCsJAEAXQ+bOTVQS38hC2eyJZQiQBswnZxdpzeASxE3trK0tPIZ5A3BgkOtUv5v8H9taQvrwO+/nuen6AIS6vi9vpCUgomxaSly5CN23h"
                    + "XQXUyNZVFyKU8x68tSBm0dOZobHKSgAP2bgQJ5Qe7kK0TGEFBe4sONrRHHp/XD/OX+nHTsOZBswHHuYTdGSiBfX3BkXvM4Y=";

    @Test
    void readsShipmentsWithoutCallsOfTools() {
        Shipped before = (Shipped) SpendLogForm.read(Base64.getDecoder().decode(BEFORE));
        assertThat(before.shipped().sums())
                .extracting(SpendSum::input, SpendSum::unpriced, SpendSum::serverToolCalls)
                .containsExactly(tuple(1L, 0L, 0L), tuple(300L, 1L, 0L));
        assertThat(Base64.getEncoder().encodeToString(SpendLogForm.write(before)))
                .isEqualTo(BEFORE);
    }

    @Test
    void readsShipmentsOfTheReleaseBefore() throws Exception {
        Shipped before = shipped("n1", 3);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflated = new DeflaterOutputStream(bytes)) {
            deflated.write(StrictJson.MAPPER.writerFor(SpendLogEntry.class).writeValueAsBytes(before));
        }
        assertThat(SpendLogForm.read(bytes.toByteArray())).isEqualTo(before);
    }

    @Test
    void saysOfDamagedBytesThatTheyCanNotBeRead() {
        byte[] good = SpendLogForm.write(any(new SplittableRandom(7)));
        List<byte[]> bad = new ArrayList<>(List.of(new byte[0], new byte[] {1}, new byte[] {2, 3}));
        for (int length = 1; length < good.length; length += 13) {
            bad.add(Arrays.copyOf(good, length));
        }
        for (byte[] each : bad) {
            assertThatThrownBy(() -> SpendLogForm.read(each))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("newer release");
        }
    }
}
