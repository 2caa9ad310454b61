package io.sluice.control.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import java.lang.management.ManagementFactory;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplayTest {
    /** By tenants squared, a hundred bytes each would be 400 MB. */
    private static final int MANY = 2_000;

    private static final long BYTES_MAX = 20_000_000;

    private final List<TenantId> tenants = IntStream.range(0, MANY)
            .mapToObj(number -> new TenantId("tenant-" + number))
            .toList();
    private final Configuration before = Configuration.EMPTY.with(tenants.stream()
            .map(id -> TenantTree.of(new TenantConfig(id, 1, "", ZoneId.of("UTC"), "USD", false)))
            .toList());

    private static ObjectChange app(TenantId tenant, String id) {
        return new ObjectChange(ObjectKind.APP, tenant, id, Change.CREATED, new AppConfig(id, ""));
    }

    @Test
    void aBatchOfManyTenantsTakesAllOfThemAndThePlatform() {
        ModelConfig model = new ModelConfig(ScopedId.platform("model"), 1, 8_000, 1_000, true, false, true);
        Configuration after = ObjectChange.replay(
                before,
                List.of(
                        app(tenants.get(0), "first"),
                        new ObjectChange(ObjectKind.MODEL, null, "model", Change.CREATED, model),
                        app(tenants.get(1), "other"),
                        app(tenants.get(0), "second")),
                7);
        assertThat(after.epoch()).isEqualTo(7);
        assertThat(after.tenants()).hasSize(MANY);
        assertThat(after.tenants().get(tenants.get(0)).apps()).containsOnlyKeys("first", "second");
        assertThat(after.tenants().get(tenants.get(1)).apps()).containsOnlyKeys("other");
        assertThat(after.platform().models()).containsOnlyKeys("model");
        assertThat(after.tenants().get(tenants.get(2)))
                .isSameAs(before.tenants().get(tenants.get(2)));
    }

    @Test
    void aBatchCostsWhatItChangesAndNotThatTimesTheTenants() {
        List<ObjectChange> changes = new ArrayList<>();
        tenants.forEach(tenant -> changes.add(app(tenant, "app")));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = threads.getCurrentThreadAllocatedBytes();
        Configuration after = ObjectChange.replay(before, changes, 1);
        assertThat(threads.getCurrentThreadAllocatedBytes() - bytes).isLessThan(BYTES_MAX);
        assertThat(after.tenants().values())
                .allSatisfy(tree -> assertThat(tree.apps()).hasSize(1));
    }
}
