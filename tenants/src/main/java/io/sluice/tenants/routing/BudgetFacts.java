package io.sluice.tenants.routing;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.json.RecordWriter;
import java.util.Objects;

/**
 * How money stands for a request to which a spend cap applies.
 *
 * @param band the shortest of its caps
 * @param cap id of the cap that is so short; null where the band is NORMAL
 * @param atExhaustion what that cap wants where it is used up
 * @param core whether the scenario keeps its models longest
 * @param exempt whether no band concerns the scenario
 * @param floor no band sends it to a lighter tier; null where one may
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BudgetFacts(
        BudgetBand band, String cap, AtExhaustion atExhaustion, boolean core, boolean exempt, Tier floor)
        implements RecordWriter.Written {
    public BudgetFacts {
        Objects.requireNonNull(band);
        Objects.requireNonNull(atExhaustion);
    }

    /** As if the cap {@code id} were used up: what a request meets that its caps do not cover. */
    public BudgetFacts exhausted(String id, AtExhaustion wanted) {
        return new BudgetFacts(BudgetBand.EXHAUSTED, id, wanted, core, false, floor);
    }

    @Override
    public void members(RecordWriter out) {
        out.word("band", band);
        out.text("cap", cap);
        out.word("atExhaustion", atExhaustion);
        out.flag("core", core);
        out.flag("exempt", exempt);
        out.word("floor", floor);
    }
}
