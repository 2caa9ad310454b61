package io.sluice.control.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.api.AuditEntry;
import io.sluice.control.api.AuditPage;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.CreateAccessToken;
import io.sluice.control.api.ConfigCommand.EndFaultRule;
import io.sluice.control.api.ConfigCommand.PutFaultRule;
import io.sluice.control.api.ConfigCommand.RevokeApiKey;
import io.sluice.control.config.ConfigDecision.Accepted;
import io.sluice.control.config.Given;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link ConfigStore} keeps. */
public abstract class StoreContract {
    private ConfigStore store;

    /** The store under test; the same one again after {@link ConfigStore#close}. */
    protected abstract ConfigStore open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    void closeStore() {
        if (store != null) {
            await(store.close());
        }
    }

    private void reopen() throws Exception {
        await(store.close());
        store = null;
        store = open();
    }

    protected static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(failed.getCause());
        } catch (InterruptedException | java.util.concurrent.TimeoutException stuck) {
            throw new AssertionError(stuck);
        }
    }

    private static AuditLine line(String tenant, String action) {
        return new AuditLine(
                Given.NOW,
                tenant == null ? null : new TenantId(tenant),
                "somebody (PLATFORM_ADMIN)",
                action,
                "object/1",
                Given.json("{'a':1.50,'b':'ü'}"));
    }

    /** The writes of {@code commands}, one epoch each, and the configuration after them. */
    private static Configuration writes(Configuration from, List<ConfigCommand> commands, List<StoredWrite> into) {
        Configuration now = from;
        for (ConfigCommand command : commands) {
            Accepted accepted = Given.accepted(now, command);
            now = accepted.configuration();
            into.add(new StoredWrite(now.epoch(), accepted.changes(), List.of(line("acme", "write"))));
        }
        return now;
    }

    private static List<ConfigCommand> everyKindOfObject() {
        List<ConfigCommand> commands = new ArrayList<>(Given.acmeCommands("acme"));
        commands.add(Given.with(Given.provider("acme", "p2"), "credential", "value:x"));
        commands.add(Given.with(Given.provider(null, "p3"), "settings", Given.json("{'latencyMs':1,'n':0.10}")));
        commands.add(Given.price("acme", "small", "0.15", "0.6"));
        commands.add(Given.scenario("acme", "text", Given.poolRung("a", "std"), Given.textRung("b", "Bitte später.")));
        commands.add(new PutFaultRule(
                "acme",
                "storm",
                null,
                "chat",
                "std",
                "sim",
                "small",
                "RATE_LIMIT",
                "PT2S",
                null,
                null,
                0.25,
                null,
                Given.NOW.plusSeconds(60).toString(),
                "Ann",
                "drill"));
        commands.add(new EndFaultRule("acme", "storm"));
        commands.add(Given.key("acme"));
        commands.add(new RevokeApiKey("acme", "abcdefghijkl"));
        commands.add(new CreateAccessToken(
                "AUDITOR", "acme", "n", Given.NOW.plusSeconds(1).toString()));
        return commands;
    }

    @Test
    void aNewStoreHoldsNothing() {
        assertThat(await(store.load())).isEqualTo(Configuration.EMPTY);
    }

    @Test
    void everyKindOfObjectComesBackAsItWas() throws Exception {
        List<StoredWrite> writes = new ArrayList<>();
        Configuration expected = writes(Configuration.EMPTY, everyKindOfObject(), writes);
        await(store.append(store.position(), writes));
        reopen();
        assertThat(await(store.load())).isEqualTo(expected);
    }

    @Test
    void theLastOfSeveralWritesToAnObjectWins() {
        List<StoredWrite> writes = new ArrayList<>();
        Configuration once = writes(Configuration.EMPTY, Given.acmeCommands("acme"), writes);
        ConfigCommand wider =
                Given.with(Given.with(Given.model("acme", "small"), "version", 1), "contextWindow", 9_999);
        Configuration expected = writes(once, List.of(wider), writes);
        await(store.append(store.position(), writes));
        assertThat(await(store.load())).isEqualTo(expected);
    }

    @Test
    void aWriteThatSkipsAnEpochIsRefusedWithAllThatCameWithIt() {
        List<StoredWrite> writes = new ArrayList<>();
        writes(Configuration.EMPTY, Given.acmeCommands("acme").subList(0, 2), writes);
        writes.add(new StoredWrite(7, List.of(), List.of()));
        assertThatThrownBy(() -> await(store.append(store.position(), writes))).isInstanceOf(StoreException.class);
        assertThat(await(store.load())).isEqualTo(Configuration.EMPTY);
    }

    @Test
    void anEpochOfThePastIsRefused() {
        List<StoredWrite> writes = new ArrayList<>();
        writes(Configuration.EMPTY, Given.acmeCommands("acme"), writes);
        await(store.append(store.position(), writes));
        assertThatThrownBy(() -> await(store.append(store.position(), List.of(writes.get(0)))))
                .isInstanceOf(StoreException.class);
    }

    @Test
    void whatWasDecidedBeforeAnotherWriteIsRefused() {
        List<StoredWrite> writes = new ArrayList<>();
        writes(Configuration.EMPTY, Given.acmeCommands("acme"), writes);
        long before = store.position();
        assertThat(await(store.append(before, writes)))
                .isEqualTo(store.position())
                .isGreaterThan(before);
        StoredWrite late = new StoredWrite(writes.size(), List.of(), List.of(line(null, "late")));
        assertThatThrownBy(() -> await(store.append(before, List.of(late)))).isInstanceOf(StoreConflictException.class);
        assertThat(await(store.audit(null, 100, null)).entries())
                .extracting(AuditEntry::action)
                .doesNotContain("late");
    }

    @Test
    void nothingIsNewWhereOnlyThisStoreWasWrittenTo() {
        List<StoredWrite> writes = new ArrayList<>();
        writes(Configuration.EMPTY, Given.acmeCommands("acme"), writes);
        long after = await(store.append(store.position(), writes));
        assertThat(await(store.newer(after))).isEmpty();
    }

    @Test
    void aWriteOfTheSameEpochChangesObjectsWithoutANewOne() {
        List<StoredWrite> writes = new ArrayList<>();
        Configuration before = writes(Configuration.EMPTY, Given.acmeCommands("acme"), writes);
        await(store.append(store.position(), writes));
        await(store.append(
                store.position(), List.of(new StoredWrite(before.epoch(), List.of(), List.of(line(null, "denied"))))));
        assertThat(await(store.load()).epoch()).isEqualTo(before.epoch());
    }

    @Test
    void auditEntriesAreNumberedFromOneAndComeNewestFirst() {
        await(store.append(
                store.position(), List.of(new StoredWrite(0, List.of(), List.of(line("a", "one"), line("b", "two"))))));
        await(store.append(store.position(), List.of(new StoredWrite(0, List.of(), List.of(line("a", "three"))))));
        AuditPage all = await(store.audit(null, 10, null));
        assertThat(all.entries()).extracting(AuditEntry::id).containsExactly(3L, 2L, 1L);
        assertThat(all.entries()).extracting(AuditEntry::action).containsExactly("three", "two", "one");
        assertThat(all.next()).isNull();
    }

    @Test
    void anAuditEntryComesBackAsItWas() throws Exception {
        AuditLine line = line("a", "one");
        await(store.append(store.position(), List.of(new StoredWrite(0, List.of(), List.of(line)))));
        reopen();
        AuditEntry entry = await(store.audit(null, 1, null)).entries().get(0);
        assertThat(entry.detail()).isEqualTo(line.detail());
        assertThat(entry.at()).isEqualTo(line.at());
        assertThat(entry.tenant()).isEqualTo(line.tenant());
    }

    @Test
    void aTenantSeesItsOwnEntries() {
        await(store.append(
                store.position(),
                List.of(new StoredWrite(
                        0, List.of(), List.of(line("a", "one"), line("b", "two"), line(null, "three"))))));
        assertThat(await(store.audit(new TenantId("b"), 10, null)).entries())
                .extracting(AuditEntry::action)
                .containsExactly("two");
    }

    @Test
    void pagesFollowOneAnotherWithoutGapOrRepeat() {
        List<AuditLine> lines = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            lines.add(line("a", "n" + i));
        }
        await(store.append(store.position(), List.of(new StoredWrite(0, List.of(), lines))));
        List<Long> seen = new ArrayList<>();
        String cursor = null;
        do {
            AuditPage page = await(store.audit(new TenantId("a"), 4, cursor));
            page.entries().forEach(entry -> seen.add(entry.id()));
            cursor = page.next();
        } while (cursor != null);
        assertThat(seen).containsExactly(10L, 9L, 8L, 7L, 6L, 5L, 4L, 3L, 2L, 1L);
    }

    @Test
    void theChainGoesOnAfterAReopen() throws Exception {
        await(store.append(store.position(), List.of(new StoredWrite(0, List.of(), List.of(line("a", "one"))))));
        reopen();
        await(store.append(store.position(), List.of(new StoredWrite(0, List.of(), List.of(line("a", "two"))))));
        assertThat(await(store.verifyAudit())).isEmpty();
        assertThat(await(store.audit(null, 10, null)).entries()).hasSize(2);
    }

    @Test
    void itBelongsToTheSecretItBeganWith() throws Exception {
        await(store.claim("one"));
        reopen();
        await(store.claim("one"));
        assertThatThrownBy(() -> await(store.claim("two")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("SLUICE_SECRET_KEY");
    }

    @Test
    void aClosedStoreSaysSo() throws Exception {
        await(store.close());
        assertThatThrownBy(() -> await(store.load())).isInstanceOf(StoreException.class);
        store = open();
    }
}
