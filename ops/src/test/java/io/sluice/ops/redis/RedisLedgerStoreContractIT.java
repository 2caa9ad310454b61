package io.sluice.ops.redis;

import io.sluice.control.ledger.LedgerStore;
import io.sluice.control.ledger.LedgerStoreContract;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract over a real Redis; large numbers pass its scripts whole. */
class RedisLedgerStoreContractIT extends LedgerStoreContract {
    @TempDir
    static Path directory;

    private static Vertx vertx;
    private static RedisServer redis;

    private boolean emptied;

    @BeforeAll
    static void begin() throws Exception {
        vertx = Vertx.vertx();
        redis = RedisServer.start(directory);
    }

    @AfterAll
    static void end() throws Exception {
        redis.close();
        vertx.close().await(10, TimeUnit.SECONDS);
    }

    @Override
    protected LedgerStore open() throws Exception {
        if (!emptied) {
            redis.ask("FLUSHALL");
            emptied = true;
        }
        return LedgerNode.store(vertx, RedisSettings.at(redis.endpoint()));
    }
}
