package io.sluice.data.limit;

import io.sluice.data.limit.Limiter.Rule;
import io.sluice.data.limit.Limiter.Taken;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.decision.LimitRecord;
import io.sluice.tenants.json.RecordWriter;
import io.sluice.tenants.limit.LimitKey;
import io.sluice.tenants.limit.LimitLevel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** One request under fifteen limits at five levels: let in, told how much it used, and ended. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@Threads(1)
@State(Scope.Thread)
public class LimiterBenchmark {
    private static final TenantId ACME = new TenantId("acme");

    private static final LimitsConfig LIMITS = new LimitsConfig(1_000_000_000, 2_000_000_000, 1_000);

    private final LimitCounters counters = new LimitCounters(10);
    private final Limiter limiter = new Limiter(counters, RateShares.ALONE, LimitPorts.ALONE.clockMs());
    private final RecordWriter writer = new RecordWriter();

    private final RuleSet rules = limiter.rules(List.of(
            rule(LimitLevel.KEY, "k-1"),
            rule(LimitLevel.SCENARIO, "summarise"),
            rule(LimitLevel.APP, "web"),
            rule(LimitLevel.TENANT, "")));

    private static Rule rule(LimitLevel level, String subject) {
        return new Rule(new LimitKey(ACME, level, subject), LIMITS);
    }

    @Benchmark
    public Object takeAndEnd() {
        Taken taken = limiter.take(rules, List.of(rule(LimitLevel.END_USER, "user-1")), 600);
        taken.permit().used(312);
        taken.permit().end();
        return taken;
    }

    @Benchmark
    public int takeEndAndWriteDown() {
        Taken taken = limiter.take(rules, List.of(rule(LimitLevel.END_USER, "user-1")), 600);
        taken.permit().used(312);
        taken.permit().end();
        writer.write(new LimitRecord(taken.input(), 312));
        return writer.length();
    }
}
