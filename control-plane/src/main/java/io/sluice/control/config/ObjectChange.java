package io.sluice.control.config;

import io.sluice.control.api.ConfigChange;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * One object as a command leaves it.
 *
 * @param owner whose it is; null means the platform
 * @param value the whole object: an instance of {@link ObjectKind#record()}
 */
public record ObjectChange(ObjectKind kind, TenantId owner, String id, Change change, Object value) {
    /** What a command did to an object. */
    public enum Change {
        CREATED,
        UPDATED,
        UNCHANGED
    }

    public ObjectChange {
        Objects.requireNonNull(id);
        if (!kind.record().isInstance(value)) {
            throw new IllegalArgumentException("not a " + kind.word());
        }
    }

    /** {@code before} with {@code changes} in their order, at {@code epoch}: what a command of another node made. */
    public static Configuration replay(Configuration before, List<ObjectChange> changes, long epoch) {
        return OwnerObjects.replay(before, changes, epoch);
    }

    /** As shown to people. */
    public ConfigChange shown() {
        return new ConfigChange(kind.word(), id, change.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return kind.word() + " " + owner + "|" + id + " " + change;
    }
}
