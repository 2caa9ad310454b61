package io.sluice.control.spend;

import io.sluice.control.spend.SpendStore.Adjustment;
import io.sluice.control.spend.SpendStore.DaySpan;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.json.JsonSubtypes;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * One thing that happened to what finance keeps. It holds all that applying it needs: nodes whose clocks and time zone rules differ end
 * up with the same bytes.
 */
@JsonSubtypes
public sealed interface SpendLogEntry {
    /**
     * What a node told of its journal.
     *
     * @param at when, by the clock of the node that took it; late usage is dated with it
     */
    record Shipped(SpendShipped shipped, Instant at) implements SpendLogEntry {
        public Shipped {
            Objects.requireNonNull(
                    shipped.node(), "no node"); // an entry that can not be applied would hold up all nodes
            Objects.requireNonNull(at);
        }
    }

    /** A correction. It counts once, however often its id is in the log. */
    record Adjusted(Adjustment adjustment) implements SpendLogEntry {}

    /**
     * Days of a tenant that are over.
     *
     * @param days in their order; those that do not follow what is closed are passed over
     */
    record DaysClosed(TenantId tenant, String timeZone, String tzdb, String currency, Instant now, List<DaySpan> days)
            implements SpendLogEntry {
        public DaysClosed {
            days = List.copyOf(days);
        }
    }

    /** The history before the log; whoever does not have it needs a copy of a node that has. */
    record Began(String node) implements SpendLogEntry {}
}
