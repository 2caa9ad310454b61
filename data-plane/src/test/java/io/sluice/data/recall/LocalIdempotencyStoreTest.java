package io.sluice.data.recall;

class LocalIdempotencyStoreTest extends IdempotencyStoreContract {
    @Override
    protected IdempotencyStore open() {
        return new LocalIdempotencyStore(TTL_MS);
    }
}
