package io.sluice.control.spend;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.ledger.SpendFacts.Charge;
import io.sluice.tenants.ledger.SpendTally;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a node's journal tells, line by line. */
final class Spent {
    static final TenantId ACME = new TenantId("acme");
    static final String PRICED = "2026-01-01.abc";

    private SpendTally tally = new SpendTally();
    private final String node;
    private long shipped;
    private long seq;

    Spent(String node) {
        this.node = node;
    }

    static Charge charge(String model, long input, long output, String cost) {
        return new Charge(
                "primary",
                "openai",
                model,
                new TokenUsage(input, 0, 0, output, 0, false),
                cost == null ? null : Money.of(cost),
                cost == null ? null : PRICED);
    }

    static SpendFacts facts(String at, String app, String endUser, Charge... charges) {
        return facts(ACME, at, app, endUser, charges);
    }

    static SpendFacts facts(TenantId tenant, String at, String app, String endUser, Charge... charges) {
        return new SpendFacts("r", "0".repeat(32), Instant.parse(at), tenant, app, "chat", endUser, List.of(charges));
    }

    /** One more line; lines in between belong to others. */
    Spent add(SpendFacts facts) {
        seq += 3;
        tally.add(seq, facts);
        return this;
    }

    Spent add(String at, String app, String model, long input, long output, String cost) {
        return add(facts(at, app, null, charge(model, input, output, cost)));
    }

    /** Everything since the last time. */
    SpendShipped next() {
        SpendShipped message = SpendShipped.of(node, 7, shipped, seq + 1, tally);
        shipped = ++seq;
        tally = new SpendTally();
        return message;
    }

    static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
