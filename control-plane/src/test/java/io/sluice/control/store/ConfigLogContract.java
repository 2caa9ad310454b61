package io.sluice.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.api.AuditEntry;
import io.sluice.control.config.Given;
import io.sluice.control.store.ConfigLog.Appended;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every {@link ConfigLog} keeps. */
public abstract class ConfigLogContract {
    /** An empty log at first; the same one again after {@link ConfigLog#close}. */
    protected abstract ConfigLog open() throws Exception;

    protected static <T> T await(Future<T> future) {
        return StoreContract.await(future);
    }

    /** A batch with an object of a large number, which no script may round, and an audit entry. */
    protected static ConfigBatch batch(long position, String id) {
        ConfigRow row = new ConfigRow("model", "acme", "m" + position, "{\"micros\":9007199254740993,\"id\":\"ü|x\"}");
        AuditLine line =
                new AuditLine(Given.NOW, null, "actor", "write", id, Given.json("{'n':1234567890123456789,'f':1.50}"));
        AuditEntry entry = AuditChain.entry(position, line, AuditChain.START);
        return new ConfigBatch(position, id + "-", position, "write", List.of(row), List.of(entry));
    }

    @Test
    void aNewLogIsEmpty() throws Exception {
        ConfigLog log = open();
        assertThat(await(log.since(0))).isEqualTo(new ConfigLog.Page(0, null, List.of()));
        await(log.close());
    }

    @Test
    void batchesComeBackInOrderAndAsTheyWere() throws Exception {
        ConfigLog log = open();
        for (int position = 1; position <= 3; position++) {
            assertThat(await(log.append(batch(position, "n" + position)))).isEqualTo(Appended.DONE);
        }
        assertThat(await(log.since(1)))
                .isEqualTo(new ConfigLog.Page(3, "n1-", List.of(batch(2, "n2"), batch(3, "n3"))));
        assertThat(await(log.since(3))).isEqualTo(new ConfigLog.Page(3, "n3-", List.of()));
        await(log.close());
    }

    @Test
    void eachPositionIsTakenOnceAndARepeatIsNoConflict() throws Exception {
        ConfigLog log = open();
        assertThat(await(log.append(batch(1, "mine")))).isEqualTo(Appended.DONE);
        assertThat(await(log.append(batch(1, "other")))).isEqualTo(Appended.BEHIND);
        assertThat(await(log.append(batch(1, "mine")))).isEqualTo(Appended.DONE);
        assertThat(await(log.since(0)).batches()).containsExactly(batch(1, "mine"));
        await(log.close());
    }

    @Test
    void aGapIsRefused() throws Exception {
        ConfigLog log = open();
        assertThatThrownBy(() -> await(log.append(batch(2, "x")))).isInstanceOf(StoreException.class);
        assertThat(await(log.since(0)).last()).isZero();
        await(log.close());
    }

    @Test
    void everythingIsTheLastOfEachObjectAndAllOfTheAuditLog() throws Exception {
        ConfigLog log = open();
        for (int position = 1; position <= 5; position++) {
            await(log.append(batch(position, "n" + position)));
        }
        ConfigWhole whole = await(log.whole());
        assertThat(whole.position()).isEqualTo(5);
        assertThat(whole.epoch()).isEqualTo(5);
        assertThat(whole.rows())
                .containsExactlyInAnyOrder(java.util.stream.LongStream.rangeClosed(1, 5)
                        .mapToObj(position -> batch(position, "").rows().get(0))
                        .toArray(ConfigRow[]::new));
        assertThat(whole.audit()).extracting(AuditEntry::subject).containsExactly("n1", "n2", "n3", "n4", "n5");
        await(log.close());
    }

    @Test
    void itBelongsToTheSecretItBeganWith() throws Exception {
        ConfigLog log = open();
        await(log.claim("one"));
        await(log.claim("one"));
        assertThatThrownBy(() -> await(log.claim("two")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("SLUICE_SECRET_KEY");
        await(log.close());
    }
}
