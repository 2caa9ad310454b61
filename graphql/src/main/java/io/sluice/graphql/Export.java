package io.sluice.graphql;

import io.sluice.tenants.config.TenantTree;
import io.vertx.core.Future;
import java.time.YearMonth;
import java.util.function.Function;

/** One month of a tenant's spend as a table, made while it is read. */
interface Export {
    /** Of the file, before tenant and month. */
    String name();

    /**
     * Writes all lines, the names of the columns first.
     *
     * @param out takes some lines; the next ones may come when its future completes
     */
    Future<Void> write(TenantTree tenant, YearMonth month, Function<String, Future<Void>> out);
}
