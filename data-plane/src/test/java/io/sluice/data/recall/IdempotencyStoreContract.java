package io.sluice.data.recall;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.sluice.tenants.recall.IdempotencyDecider.Standing;
import io.sluice.tenants.recall.IdempotencyDecider.Verdict;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every {@link IdempotencyStore} keeps. */
public abstract class IdempotencyStoreContract {
    protected static final long TTL_MS = 24 * 3_600_000L;

    protected static final String SAME = "aa".repeat(32);

    protected static final String OTHER = "bb".repeat(32);

    private IdempotencyStore store;

    /** The store under test, empty. */
    protected abstract IdempotencyStore open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    void closeStore() {
        await(store.close());
    }

    protected static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    protected static Claim claim(String tenant, String text, String fingerprint, RequestKind kind, long atMs) {
        return new Claim(
                new IdempotencyKey(new TenantId(tenant), "app", "chat", text), fingerprint, kind, "f".repeat(32), atMs);
    }

    protected static Claim claim(String text) {
        return claim("t1", text, SAME, RequestKind.WRITE, 1_000);
    }

    protected static KeptAnswer answer(String body) {
        return new KeptAnswer(
                200, "application/json", Buffer.buffer(body), "p/m", "first", 1, "network", "f".repeat(32));
    }

    @Test
    void aNewKeyBegins() {
        Found found = await(store.begin(claim("k")));

        assertThat(found.verdict()).isEqualTo(Verdict.BEGIN);
        assertThat(found.input().standing()).isEqualTo(Standing.ABSENT);
    }

    @Test
    void theFirstAnswerIsReplayed() {
        await(store.begin(claim("k")));
        await(store.end(claim("k"), Fate.KEEP, answer("{\"é\":1}")));

        Found found = await(store.begin(claim("k")));

        assertThat(found.verdict()).isEqualTo(Verdict.REPLAY);
        assertThat(found.answer()).isEqualTo(answer("{\"é\":1}"));
    }

    @Test
    void anotherRequestUnderTheSameKeyIsTold() {
        await(store.begin(claim("k")));
        await(store.end(claim("k"), Fate.KEEP, answer("x")));

        Found found = await(store.begin(claim("t1", "k", OTHER, RequestKind.WRITE, 1_000)));

        assertThat(found.verdict()).isEqualTo(Verdict.TELL_REUSED);
        assertThat(found.answer()).isNull();
    }

    @Test
    void anotherTenantsKeyIsAnotherKey() {
        await(store.begin(claim("k")));
        await(store.end(claim("k"), Fate.KEEP, answer("x")));

        assertThat(await(store.begin(claim("t2", "k", SAME, RequestKind.WRITE, 1_000)))
                        .verdict())
                .isEqualTo(Verdict.BEGIN);
    }

    @Test
    void aFreedKeyBeginsAnew() {
        await(store.begin(claim("k")));
        await(store.end(claim("k"), Fate.FREE, null));

        assertThat(await(store.begin(claim("t1", "k", OTHER, RequestKind.READ, 1_000)))
                        .verdict())
                .isEqualTo(Verdict.BEGIN);
    }

    @ParameterizedTest
    @EnumSource(value = RequestKind.class, names = "READ", mode = EnumSource.Mode.EXCLUDE)
    void whatWasBegunAndNotEndedIsNeverBegunAgainWhereItWrites(RequestKind kind) {
        await(store.begin(claim("t1", "k", SAME, kind, 1_000)));

        assertThat(await(store.begin(claim("t1", "k", SAME, kind, 1_000))).verdict())
                .isEqualTo(Verdict.TELL_UNKNOWN);
    }

    @Test
    void whatWasBegunAndNotEndedBeginsAgainWhereItOnlyReads() {
        await(store.begin(claim("t1", "k", SAME, RequestKind.READ, 1_000)));

        assertThat(await(store.begin(claim("t1", "k", SAME, RequestKind.READ, 1_000)))
                        .verdict())
                .isEqualTo(Verdict.BEGIN_AGAIN);
    }

    @Test
    void aRequestThatWroteIsNotBegunAgainByOneThatSaysItOnlyReads() {
        await(store.begin(claim("t1", "k", SAME, RequestKind.WRITE, 1_000)));
        await(store.end(claim("k"), Fate.MARK_UNKNOWN, null));

        assertThat(await(store.begin(claim("t1", "k", SAME, RequestKind.READ, 1_000)))
                        .verdict())
                .isEqualTo(Verdict.TELL_UNKNOWN);
    }

    @Test
    void anAnswerThatWasTooLargeIsRememberedWithoutItsText() {
        await(store.begin(claim("k")));
        await(store.end(claim("k"), Fate.KEEP_NOTE, null));

        assertThat(await(store.begin(claim("k"))).verdict()).isEqualTo(Verdict.TELL_TOO_LARGE);
    }

    @Test
    void aKeyIsFreeWhenItsTimeIsOver() {
        await(store.begin(claim("k")));
        await(store.end(claim("k"), Fate.KEEP, answer("x")));

        assertThat(await(store.begin(claim("t1", "k", OTHER, RequestKind.WRITE, 1_000 + TTL_MS)))
                        .verdict())
                .isEqualTo(Verdict.BEGIN);
    }

    @Test
    void aKeyIsKeptToTheLastMillisecond() {
        await(store.begin(claim("k")));
        await(store.end(claim("k"), Fate.KEEP, answer("x")));

        assertThat(await(store.begin(claim("t1", "k", SAME, RequestKind.WRITE, 999 + TTL_MS)))
                        .verdict())
                .isEqualTo(Verdict.REPLAY);
    }
}
