package io.sluice.data.recall;

import static io.sluice.data.recall.IdempotencyStoreContract.answer;
import static io.sluice.data.recall.IdempotencyStoreContract.await;
import static io.sluice.data.recall.IdempotencyStoreContract.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.sluice.tenants.recall.IdempotencyDecider.Verdict;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IdempotencyDeskTest {
    private final SlowStore store = new SlowStore();
    private final IdempotencyDesk desk = new IdempotencyDesk(store);

    /** A store whose ends take until the test says so, or fail. */
    private static final class SlowStore implements IdempotencyStore {
        private final IdempotencyStore store = new LocalIdempotencyStore(IdempotencyStoreContract.TTL_MS);
        private Promise<Void> ended = Promise.promise();
        private boolean broken;

        @Override
        public Future<Found> begin(Claim claim) {
            return broken ? Future.failedFuture(new StoreUnavailableException("broken", null)) : store.begin(claim);
        }

        @Override
        public Future<Void> end(Claim claim, Fate fate, KeptAnswer answer) {
            return store.end(claim, fate, answer).compose(done -> ended.future());
        }

        @Override
        public Future<Void> close() {
            return store.close();
        }
    }

    private Verdict verdict(Claim claim, boolean mayWait) {
        return await(desk.claim(claim, mayWait)).verdict();
    }

    @Test
    void onlyOneBeginsAndTheOthersWaitOrAreTold() {
        assertThat(verdict(claim("k"), true)).isEqualTo(Verdict.BEGIN);
        assertThat(verdict(claim("k"), true)).isEqualTo(Verdict.WAIT);
        assertThat(verdict(claim("k"), false)).isEqualTo(Verdict.TELL_RUNNING);
        assertThat(desk.running()).isEqualTo(1);
    }

    @Test
    void anotherRequestUnderARunningKeyIsTold() {
        await(desk.claim(claim("k"), true));

        Claim other = claim("t1", "k", IdempotencyStoreContract.OTHER, RequestKind.WRITE, 1_000);
        assertThat(verdict(other, true)).isEqualTo(Verdict.TELL_REUSED);
    }

    @Test
    void whoWaitsIsGivenTheAnswerWhenItIsOnDiskAndNotBefore() {
        await(desk.claim(claim("k"), true));
        Future<Optional<Found>> over = desk.over(claim("k"));
        Future<Void> ended = desk.end(claim("k"), Fate.KEEP, answer("x"));
        assertThat(over.isComplete()).isFalse();

        store.ended.complete();

        assertThat(await(over).orElseThrow().answer()).isEqualTo(answer("x"));
        assertThat(ended.succeeded()).isTrue();
        assertThat(desk.running()).isZero();
    }

    @Test
    void whoWaitsForARequestThatFailedMayBegin() {
        await(desk.claim(claim("k"), true));
        Future<Optional<Found>> over = desk.over(claim("k"));
        assertThat(desk.end(claim("k"), Fate.FREE, null).isComplete()).isFalse();

        assertThat(await(over)).isEmpty();
        assertThat(verdict(claim("k"), true)).isEqualTo(Verdict.BEGIN);
    }

    @Test
    void anAnswerThatCouldNotBeWrittenIsGivenToNobodyElse() {
        await(desk.claim(claim("k"), true));
        Future<Optional<Found>> over = desk.over(claim("k"));
        store.ended.fail("the disk is full");
        assertThat(desk.end(claim("k"), Fate.KEEP, answer("x")).failed()).isTrue();

        assertThat(await(over)).isEmpty();
    }

    @Test
    void aFailingStoreLeavesNoKeyHeld() {
        store.broken = true;

        assertThat(desk.claim(claim("k"), true).cause()).isInstanceOf(StoreUnavailableException.class);
        assertThat(desk.running()).isZero();
        assertThat(await(desk.over(claim("k")))).isEmpty();
    }
}
