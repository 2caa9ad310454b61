package io.sluice.control.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.control.api.CapStanding;
import io.sluice.control.budget.CapAlert;
import io.sluice.control.budget.CapFact;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.money.Money;
import java.time.Instant;

/** What happens to caps as events for webhooks, and back to the facts that are remembered. Pure. */
final class CapEvents {
    private static final String THRESHOLD = "threshold";
    private static final String BAND = "band";

    private CapEvents() {}

    /** What is posted. Amounts are decimals in {@code currency}. */
    private record Body(
            String id,
            String type,
            Instant at,
            String tenant,
            String cap,
            CapScope scope,
            String subject,
            String period,
            Instant resetsAt,
            Double threshold,
            Money spent,
            Money limit,
            String currency,
            BudgetBand band,
            Money forecast,
            String explanation) {}

    /**
     * The alert with its text. The same cap, limit, period and threshold always give the same id, on every node; and so does the same
     * band that begins in a period for the same time, whenever each side of a split network notices it.
     */
    static Alert alert(CapAlert due, String currency) {
        CapStanding standing = due.standing();
        boolean isBand = due.threshold() == null;
        String subject = standing.account().key();
        String what = isBand
                ? BAND + "|" + standing.band()
                : THRESHOLD + "|" + due.threshold() + "|" + due.cap().limit().micros();
        String id = EventId.of(subject, what, isBand ? String.valueOf(standing.begun()) : "");
        Body body = new Body(
                id,
                isBand ? "cap.band" : "cap.threshold",
                standing.at(),
                due.tenant().value(),
                due.cap().id(),
                due.cap().scope(),
                due.cap().subject(),
                standing.account().period().key(),
                standing.resetsAt(),
                due.threshold(),
                standing.spent(),
                due.cap().limit(),
                currency,
                standing.band(),
                standing.forecast(),
                standing.explanation());
        return new Alert(
                new Alert.Key(due.tenant(), due.webhook(), id),
                subject,
                what,
                standing.at(),
                standing.resetsAt(),
                json(body));
    }

    /** What {@code alert} says of a cap; null where it is about something else. */
    static CapFact fact(Alert alert) {
        String[] what = alert.what().split("\\|", -1);
        boolean isBand = what[0].equals(BAND);
        if (!isBand && !what[0].equals(THRESHOLD)) {
            return null;
        }
        return new CapFact(
                alert.key().tenant(),
                alert.key().webhook(),
                AccountKey.ofKey(alert.subject()),
                isBand ? null : Double.valueOf(what[1]),
                isBand ? 0 : Long.parseLong(what[2]),
                isBand ? BudgetBand.valueOf(what[1]) : null,
                alert.ends());
    }

    static String json(Object body) {
        try {
            return StrictJson.MAPPER.writeValueAsString(body);
        } catch (JsonProcessingException brokenRecord) {
            throw new IllegalStateException(brokenRecord);
        }
    }
}
