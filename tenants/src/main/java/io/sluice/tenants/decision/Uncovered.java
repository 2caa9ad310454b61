package io.sluice.tenants.decision;

import io.sluice.tenants.json.RecordWriter;
import io.sluice.tenants.money.Money;

/**
 * A model was passed over, because a spend cap did not cover what its call may cost at most.
 *
 * @param cap id
 * @param lacked so much more it would have needed
 */
public record Uncovered(String cap, Money lacked) implements RecordWriter.Written {
    @Override
    public void members(RecordWriter out) {
        out.text("cap", cap);
        out.spelled("lacked", lacked);
    }
}
