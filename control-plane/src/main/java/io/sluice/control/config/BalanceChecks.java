package io.sluice.control.config;

import io.sluice.control.api.ConfigCommand.SetProviderBalance;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.config.ProviderBalanceConfig;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.util.Optional;

/** Balances of prepaid accounts. */
final class BalanceChecks {
    private BalanceChecks() {}

    static void set(Draft draft, SetProviderBalance command, DecisionContext context, Problems problems) {
        int mistakes = problems.count();
        if (problems.present(command.provider(), "provider")
                && !draft.own().providers().containsKey(command.provider())) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such provider of this owner", "provider");
        }
        Optional<Money> amount = amount(command.amount(), problems);
        Instant at = command.at() == null
                ? context.now()
                : problems.instant(command.at(), "at").orElse(context.now());
        if (at.isAfter(context.now())) {
            problems.add(UserErrorCode.INVALID, "lies in the future; leave it out for now", "at");
        }
        if (problems.count() > mistakes) {
            return;
        }
        ProviderBalanceConfig present = draft.own().balances().get(command.provider());
        int version = present == null ? 1 : present.version() + 1;
        draft.put(
                new ProviderBalanceConfig(command.provider(), version, amount.get(), at),
                present == null ? Change.CREATED : Change.UPDATED);
    }

    private static Optional<Money> amount(String text, Problems problems) {
        if (!problems.present(text, "amount")) {
            return Optional.empty();
        }
        Optional<Money> amount = Money.parse(text).filter(money -> money.micros() >= 0);
        if (amount.isEmpty() || amount.get().micros() > CapChecks.LIMIT_MICROS_MAX) {
            problems.add(
                    UserErrorCode.INVALID,
                    "must be a decimal amount from 0 to 9000000000 with at most 6 decimals, such as \"250.00\"",
                    "amount");
            return Optional.empty();
        }
        return amount;
    }
}
