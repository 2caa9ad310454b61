package io.sluice.control;

import io.sluice.control.config.ObjectChange;
import io.sluice.control.config.ObjectKind;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.message.BusMessage.KeyUsed;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Days on which keys were used and that are not stored yet. Owned by one actor. */
final class KeyUses {
    private final Map<TenantId, Map<String, LocalDate>> days = new HashMap<>();

    /**
     * The configuration with the days in it, at the same epoch.
     *
     * @param keys that changed
     * @param uses that changed them
     */
    record Applied(Configuration configuration, List<ObjectChange> keys, List<KeyUsed> uses) {}

    void add(KeyUsed used) {
        LocalDate day = LocalDate.ofInstant(used.at(), ZoneOffset.UTC);
        days.computeIfAbsent(used.tenant(), tenant -> new HashMap<>())
                .merge(used.keyId(), day, (a, b) -> a.isAfter(b) ? a : b);
    }

    /** Takes what was collected since the last call. A day that is known, and a key that is not, change nothing. */
    Applied drainInto(Configuration configuration) {
        Map<TenantId, TenantTree> trees = new HashMap<>();
        List<ObjectChange> changes = new ArrayList<>();
        List<KeyUsed> uses = new ArrayList<>();
        days.forEach((tenant, keys) -> keys.forEach((id, day) -> {
            TenantTree tree = trees.getOrDefault(tenant, configuration.tenants().get(tenant));
            ApiKeyConfig key = tree == null ? null : tree.keys().get(id);
            if (key != null && (key.lastUsedOn() == null || key.lastUsedOn().isBefore(day))) {
                ApiKeyConfig used = key.usedOn(day);
                trees.put(tenant, tree.with(used));
                uses.add(
                        new KeyUsed(tenant, id, day.atStartOfDay(ZoneOffset.UTC).toInstant()));
                changes.add(new ObjectChange(ObjectKind.KEY, tenant, id, ObjectChange.Change.UPDATED, used));
            }
        }));
        days.clear();
        if (changes.isEmpty()) {
            return new Applied(configuration, changes, uses);
        }
        Map<TenantId, TenantTree> all = new HashMap<>(configuration.tenants());
        all.putAll(trees);
        return new Applied(
                new Configuration(configuration.epoch(), configuration.platform(), all, configuration.accessTokens()),
                changes,
                uses);
    }
}
