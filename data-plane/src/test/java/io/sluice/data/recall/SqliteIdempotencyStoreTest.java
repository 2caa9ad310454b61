package io.sluice.data.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.sluice.tenants.recall.IdempotencyDecider.Verdict;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteIdempotencyStoreTest extends IdempotencyStoreContract {
    private static final long NOW_MS = 2_000;

    @TempDir
    Path directory;

    @Override
    protected IdempotencyStore open() {
        return open("contract.db", 1L << 30);
    }

    private SqliteIdempotencyStore open(String file, long bytesMax) {
        return SqliteIdempotencyStore.open(
                directory.resolve(file), new RecallSettings(TTL_MS, bytesMax, 1 << 20, 1_000, 10), () -> NOW_MS);
    }

    private static void keep(IdempotencyStore store, String tenant, String key, long atMs, String body) {
        await(store.begin(claim(tenant, key, SAME, RequestKind.WRITE, atMs)));
        await(store.end(claim(tenant, key, SAME, RequestKind.WRITE, atMs), Fate.KEEP, answer(body)));
    }

    private static Verdict verdict(IdempotencyStore store, String tenant, String key) {
        return await(store.begin(claim(tenant, key, SAME, RequestKind.WRITE, NOW_MS)))
                .verdict();
    }

    @Test
    void answersAndUnknownOutcomesAreThereAfterAReopening() {
        SqliteIdempotencyStore before = open("again.db", 1L << 30);
        keep(before, "t1", "answered", 1_000, "the answer");
        await(before.begin(claim("begun")));
        await(before.close());

        SqliteIdempotencyStore again = open("again.db", 1L << 30);
        try {
            assertThat(await(again.begin(claim("answered"))).answer()).isEqualTo(answer("the answer"));
            assertThat(verdict(again, "t1", "begun")).isEqualTo(Verdict.TELL_UNKNOWN);
        } finally {
            await(again.close());
        }
    }

    @Test
    void manyAtOnceAreAllKept() {
        SqliteIdempotencyStore store = open("many.db", 1L << 30);
        try {
            List<Future<Found>> begun = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                begun.add(store.begin(claim("k" + i % 1_000)));
            }
            List<Verdict> verdicts =
                    begun.stream().map(each -> await(each).verdict()).toList();
            assertThat(verdicts.subList(0, 1_000)).containsOnly(Verdict.BEGIN);
            assertThat(verdicts.subList(1_000, 2_000)).containsOnly(Verdict.TELL_UNKNOWN);
        } finally {
            await(store.close());
        }
    }

    @Test
    void whenItIsFullTheOldestAnswersOfTheLargestTenantGo() {
        SqliteIdempotencyStore store = open("full.db", 300_000);
        try {
            keep(store, "small", "k", 1_000, "x");
            await(store.begin(claim("large", "unknown", SAME, RequestKind.WRITE, 1_000)));
            String large = "x".repeat(1_000);
            for (int i = 0; i < 400; i++) {
                keep(store, "large", "k" + i, 1_000 + i, large);
            }

            assertThat(verdict(store, "small", "k")).isEqualTo(Verdict.REPLAY);
            assertThat(verdict(store, "large", "unknown")).isEqualTo(Verdict.TELL_UNKNOWN);
            assertThat(verdict(store, "large", "k0")).isEqualTo(Verdict.BEGIN);
            assertThat(verdict(store, "large", "k399")).isEqualTo(Verdict.REPLAY);
        } finally {
            await(store.close());
        }
    }

    @Test
    void aSecondProcessCanNotOpenIt() {
        SqliteIdempotencyStore first = open("taken.db", 1L << 30);
        try {
            assertThatThrownBy(() -> open("taken.db", 1L << 30))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("taken.db");
        } finally {
            await(first.close());
        }
    }

    @Test
    void aFileThatIsNoDatabaseIsToldByName() throws Exception {
        Files.write(
                directory.resolve("text.db"),
                "not a database, long enough to be seen as one".repeat(40).getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> open("text.db", 1L << 30))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("text.db");
    }

    @Test
    void afterItsCloseItSaysSo() {
        SqliteIdempotencyStore store = open("closed.db", 1L << 30);
        await(store.close());

        assertThat(store.begin(claim("k")).cause()).isInstanceOf(StoreUnavailableException.class);
    }
}
