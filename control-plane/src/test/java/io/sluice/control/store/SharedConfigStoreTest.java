package io.sluice.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.api.AuditEntry;
import io.sluice.control.config.ConfigDecision.Accepted;
import io.sluice.control.config.Given;
import io.sluice.control.store.ConfigStore.Update;
import io.sluice.tenants.config.Configuration;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedConfigStoreTest extends StoreContract {
    @TempDir
    Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final MemoryConfigLog log = new MemoryConfigLog();
    private final List<SharedConfigStore> opened = new ArrayList<>();

    @Override
    protected ConfigStore open() {
        return new SharedConfigStore(vertx, SqliteConfigStore.open(directory.resolve("config.db")), log);
    }

    private SharedConfigStore node(String name) {
        SharedConfigStore node =
                new SharedConfigStore(vertx, SqliteConfigStore.open(directory.resolve(name + ".db")), log);
        opened.add(node);
        return node;
    }

    @BeforeEach
    void begin() {
        log.away(false);
    }

    @AfterEach
    void end() {
        opened.forEach(node -> await(node.close()));
        await(vertx.close());
    }

    /** The writes that onboard a tenant, and the configuration after them. */
    private static Configuration onboard(Configuration from, String tenant, List<StoredWrite> into) {
        Configuration now = from;
        for (var command : Given.acmeCommands(tenant)) {
            Accepted accepted = Given.accepted(now, command);
            now = accepted.configuration();
            into.add(new StoredWrite(now.epoch(), accepted.changes(), List.of(line(tenant))));
        }
        return now;
    }

    private static AuditLine line(String subject) {
        return new AuditLine(Given.NOW, null, "actor", "write", subject, Given.json("{}"));
    }

    private static StoredWrite note(long epoch, String subject) {
        return new StoredWrite(epoch, List.of(), List.of(line(subject)));
    }

    @Test
    void whatOneNodeStoresTheOtherReads() {
        SharedConfigStore one = node("one");
        SharedConfigStore two = node("two");
        await(one.load());
        await(two.load());
        List<StoredWrite> writes = new ArrayList<>();
        Configuration after = onboard(Configuration.EMPTY, "acme", writes);
        await(one.append(one.position(), writes));

        Update update = await(two.newer(0)).orElseThrow();

        assertThat(update.configuration()).isEqualTo(after);
        assertThat(update.cause()).isEqualTo("write");
        assertThat(await(two.newer(update.position()))).isEmpty();
        assertThat(await(two.audit(null, 100, null)).entries()).hasSize(writes.size());
        assertThat(await(two.verifyAudit())).isEmpty();
    }

    @Test
    void theNodeThatComesSecondDecidesAnewAndNothingIsLost() {
        SharedConfigStore one = node("one");
        SharedConfigStore two = node("two");
        await(one.load());
        await(two.load());
        List<StoredWrite> first = new ArrayList<>();
        Configuration after = onboard(Configuration.EMPTY, "acme", first);
        List<StoredWrite> stale = new ArrayList<>();
        onboard(Configuration.EMPTY, "beta", stale);
        await(one.append(0, first));
        assertThatThrownBy(() -> await(two.append(0, stale))).isInstanceOf(StoreConflictException.class);

        Update update = await(two.newer(0)).orElseThrow();
        List<StoredWrite> again = new ArrayList<>();
        Configuration both = onboard(update.configuration(), "beta", again);
        await(two.append(update.position(), again));

        assertThat(update.configuration()).isEqualTo(after);
        assertThat(await(one.newer(1)).orElseThrow().configuration()).isEqualTo(both);
        assertThat(await(one.verifyAudit())).isEmpty();
    }

    @Test
    void aWriteWhoseAnswerIsLostIsThereOnce() {
        SharedConfigStore one = node("one");
        await(one.load());
        log.loseAnswers(3);
        await(one.append(0, List.of(note(0, "once"))));
        assertThat(log.size()).isEqualTo(1);
        assertThat(await(one.audit(null, 10, null)).entries()).hasSize(1);
    }

    @Test
    void whileTheLogIsAwayReadsGoOnAndWritesSayWhy() {
        SharedConfigStore one = node("one");
        await(one.load());
        List<StoredWrite> writes = new ArrayList<>();
        Configuration after = onboard(Configuration.EMPTY, "acme", writes);
        await(one.append(0, writes));
        await(one.close());
        opened.clear();
        log.away(true);

        SharedConfigStore again = node("one");

        assertThat(await(again.load())).isEqualTo(after);
        assertThat(await(again.audit(null, 100, null)).entries()).hasSize(writes.size());
        assertThatThrownBy(() -> await(again.append(again.position(), List.of(note(after.epoch(), "x")))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("nothing can be changed now");
        log.away(false);
        await(again.append(again.position(), List.of(note(after.epoch(), "y"))));
    }

    @Test
    void aNodeThatWasAwayForLongTakesEverything() {
        SharedConfigStore one = node("one");
        await(one.load());
        List<StoredWrite> writes = new ArrayList<>();
        Configuration after = onboard(Configuration.EMPTY, "acme", writes);
        await(one.append(0, writes));
        for (int i = 0; i < 5; i++) {
            await(one.append(one.position(), List.of(note(after.epoch(), "n" + i))));
        }
        log.keep(2);

        SharedConfigStore late = node("late");

        assertThat(await(late.load())).isEqualTo(after);
        assertThat(await(late.verifyAudit())).isEmpty();
        await(late.append(late.position(), List.of(note(after.epoch(), "from there"))));
        assertThat(await(one.newer(6))).isPresent();
        assertThat(await(one.audit(null, 1, null)).entries())
                .extracting(AuditEntry::subject)
                .containsExactly("from there");
    }

    @Test
    void whatOneProcessHadByItselfBeginsTheClustersLog() {
        SqliteConfigStore alone = SqliteConfigStore.open(directory.resolve("one.db"));
        List<StoredWrite> writes = new ArrayList<>();
        Configuration before = onboard(Configuration.EMPTY, "acme", writes);
        await(alone.append(0, writes));
        await(alone.close());

        SharedConfigStore one = node("one");
        SharedConfigStore two = node("two");

        assertThat(await(one.load())).isEqualTo(before);
        assertThat(await(two.load())).isEqualTo(before);
        assertThat(await(two.verifyAudit())).isEmpty();
        await(two.append(two.position(), List.of(note(before.epoch(), "on"))));
        assertThat(await(one.newer(1))).isPresent();
        assertThat(await(one.verifyAudit())).isEmpty();
    }

    @Test
    void aConfigurationOfItsOwnIsNotMixedWithTheClusters() {
        SharedConfigStore one = node("one");
        await(one.load());
        await(one.append(0, List.of(note(0, "a"))));
        SqliteConfigStore alone = SqliteConfigStore.open(directory.resolve("stranger.db"));
        await(alone.append(0, List.of(note(0, "b"))));
        await(alone.close());

        assertThatThrownBy(() -> await(node("stranger").load()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("a configuration of its own");
    }

    @Test
    void nothingIsWrittenToALogThatWasLost() {
        SharedConfigStore one = node("one");
        await(one.load());
        await(one.append(0, List.of(note(0, "a"))));
        await(one.append(1, List.of(note(0, "b"))));
        log.restore(1);
        assertThatThrownBy(() -> await(one.newer(2)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("restored from an old backup");
        assertThatThrownBy(() -> await(one.append(2, List.of(note(0, "c"))))).isInstanceOf(StoreException.class);
        assertThat(log.size()).isEqualTo(1);
    }

    @Test
    void aNodeDoesNotGoOnFromAnotherHistory() {
        SharedConfigStore one = node("one");
        await(one.load());
        await(one.append(0, List.of(note(0, "a"))));
        await(one.append(1, List.of(note(0, "b"))));
        log.restore(1);
        SharedConfigStore other = node("other");
        await(other.load());
        await(other.append(1, List.of(note(0, "c"))));

        assertThatThrownBy(() -> await(one.newer(2)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("another one than this node knows");
        await(other.append(2, List.of(note(0, "d"))));
        assertThatThrownBy(() -> await(one.newer(2))).hasMessageContaining("another one than this node knows");
        assertThat(await(one.audit(null, 10, null)).entries())
                .extracting(AuditEntry::subject)
                .containsExactly("b", "a");
    }

    @Test
    void whoeverHasToDecideAnewWhileTheLogIsAwayIsToldSo() {
        SharedConfigStore one = node("one");
        await(one.load());
        await(one.append(0, List.of(note(0, "a"))));
        log.away(true);
        assertThatThrownBy(() -> await(one.newer(0)))
                .isInstanceOf(StoreAwayException.class)
                .hasMessageContaining("nothing can be changed now");
    }
}
