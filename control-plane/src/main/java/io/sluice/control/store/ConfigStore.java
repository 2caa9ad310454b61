package io.sluice.control.store;

import io.sluice.control.api.AuditPage;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the configuration and the audit log.
 * <ol>
 *   <li>When the future of {@link #append} succeeds, everything in it survives a crash of process and machine.
 *   <li>When it fails, nothing of it is stored, and the caller may go on from the stored epoch; where it fails with
 *       {@link StoreConflictException}, from what {@link #newer} says. A store that is shared may fail without knowing: then
 *       {@link #newer} tells what became of it.
 *   <li>A write whose epoch is neither the stored one nor the next is refused, so that two owners can not mix their epochs.
 *   <li>Audit entries have consecutive numbers from 1, in the order of the writes.
 * </ol>
 * Methods may be called from any thread and do not block; futures complete on a thread of the store.
 */
public interface ConfigStore {
    /** The configuration at the last epoch stored; {@link Configuration#EMPTY} in a new store. */
    Future<Configuration> load();

    /**
     * Ties the store to the server's secret: remembered at the first call; fails at a later one with another value, since
     * no key could be recognized and no credential opened.
     */
    Future<Void> claim(String secretCheck);

    /**
     * Stores {@code writes} in this order, in one transaction; completes with the store's position afterwards.
     *
     * @param position where the store was when the first of them was decided
     */
    Future<Long> append(long position, List<StoredWrite> writes);

    /**
     * A configuration that others stored.
     *
     * @param position of the store then
     * @param cause what the last change was
     */
    record Update(long position, Configuration configuration, String cause) {}

    /** What is stored where the store's position is not {@code position}; empty where nothing was stored by others. */
    Future<Optional<Update>> newer(long position);

    /** Where the store is: it moves with every append, of whichever node. */
    long position();

    /**
     * Audit entries, newest first.
     *
     * @param tenant null means all
     * @param first at least 1
     * @param after cursor of the last page; null begins with the newest
     */
    default Future<AuditPage> audit(TenantId tenant, int first, String after) {
        return audit(tenant, Set.of(), first, after);
    }

    /** Likewise, only entries of some actions; none named means all. */
    Future<AuditPage> audit(TenantId tenant, Set<String> actions, int first, String after);

    /** Where the audit log was tampered with: the first entry that does not fit, and how; empty where all fit. */
    Future<List<String>> verifyAudit();

    /** Finishes what was begun and closes; later calls fail. */
    Future<Void> close();
}
