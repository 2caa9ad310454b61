package io.sluice.control.config;

import io.sluice.control.api.ConfigCommand.PutPool;
import io.sluice.control.api.ConfigCommand.PutPrice;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.PriceBook;
import io.sluice.tenants.routing.SnapshotCompiler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Pools and prices. */
final class PoolChecks {
    /** Each target costs an actor's state and a line in every decision; real pools stay below ten. */
    static final int TARGETS_MAX = 64;

    static final int WEIGHT_MAX = 1_000;

    /** A price a day for three years. */
    static final int PRICES_MAX = 1_000;

    private PoolChecks() {}

    static void put(Draft draft, PutPool command, Problems problems) {
        int mistakes = problems.count();
        boolean named = problems.id(command.id(), "id");
        if (named && command.id().equals("auto")) {
            problems.add(UserErrorCode.INVALID, "must not be auto, which means that the scenario decides", "id");
        }
        PoolConfig now = named ? draft.own().pools().get(command.id()) : null;
        int version =
                named ? problems.nextVersion(command.version(), now == null ? 0 : now.version(), draft.document()) : 0;
        Tier tier = problems.oneOf(Tier.class, command.tier(), "tier");
        List<TargetConfig> targets = targets(draft, command.targets(), problems);
        if (now == null) {
            ProviderChecks.room(draft.own().pools(), problems);
        }
        if (problems.count() > mistakes) {
            return;
        }
        ScopedId id = new ScopedId(draft.owner(), command.id());
        if (now != null && now.equals(new PoolConfig(id, now.version(), tier, targets))) {
            draft.put(now, Change.UNCHANGED);
        } else {
            draft.put(new PoolConfig(id, version, tier, targets), now == null ? Change.CREATED : Change.UPDATED);
        }
    }

    private static List<TargetConfig> targets(Draft draft, List<PutPool.Target> typed, Problems problems) {
        List<TargetConfig> targets = new ArrayList<>();
        if (!problems.present(typed, "targets")) {
            return targets;
        }
        if (typed.isEmpty() || typed.size() > TARGETS_MAX) {
            problems.add(UserErrorCode.INVALID, "must have 1 to " + TARGETS_MAX + " targets", "targets");
            return targets;
        }
        int mistakes = problems.count();
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < typed.size(); i++) {
            target(draft, typed.get(i), keys, problems.at("targets", Integer.toString(i)))
                    .ifPresent(targets::add);
        }
        if (problems.count() == mistakes && targets.stream().allMatch(target -> target.weight() == 0)) {
            problems.add(UserErrorCode.INVALID, "must have a target whose weight is more than 0", "targets");
        }
        return targets;
    }

    private static Optional<TargetConfig> target(
            Draft draft, PutPool.Target typed, Set<String> keys, Problems problems) {
        int mistakes = problems.count();
        if (problems.present(typed.provider(), "provider")
                && !draft.sees(ObjectKind.PROVIDER, typed.provider(), Catalog::providers)) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such provider; put it first", "provider");
        }
        if (problems.present(typed.model(), "model") && !draft.sees(ObjectKind.MODEL, typed.model(), Catalog::models)) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such model; put it first", "model");
        }
        if (typed.upstreamName() != null) {
            problems.name(typed.upstreamName(), "upstreamName");
        }
        if (problems.notNull(typed.weight(), "weight")) {
            problems.range(typed.weight(), 0, WEIGHT_MAX, "weight");
        }
        if (problems.count() > mistakes) {
            return Optional.empty();
        }
        TargetConfig target = new TargetConfig(typed.provider(), typed.model(), typed.upstreamName(), typed.weight());
        if (!keys.add(SnapshotCompiler.targetKey(target))) {
            problems.add(
                    UserErrorCode.DUPLICATE, "is the same provider and model as a target before; add up the weights");
        }
        return Optional.of(target);
    }

    static void put(Draft draft, PutPrice command, Instant now, Problems problems) {
        int mistakes = problems.count();
        if (problems.present(command.model(), "model")
                && !draft.sees(ObjectKind.MODEL, command.model(), Catalog::models)) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such model; put it first", "model");
        }
        problems.present(command.inputPerMTok(), "inputPerMTok");
        problems.present(command.outputPerMTok(), "outputPerMTok");
        Money input = amount(command.inputPerMTok(), "inputPerMTok", problems);
        Money output = amount(command.outputPerMTok(), "outputPerMTok", problems);
        Money cached = amount(command.cachedInputPerMTok(), "cachedInputPerMTok", problems);
        Money write = amount(command.cacheWritePerMTok(), "cacheWritePerMTok", problems);
        Instant from = problems.instant(command.validFrom(), "validFrom").orElse(now);
        PriceBook book = command.model() == null
                ? PriceBook.EMPTY
                : draft.own().prices().getOrDefault(command.model(), PriceBook.EMPTY);
        if (book.prices().size() >= PRICES_MAX) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "the model has " + PRICES_MAX + " prices, the most", "model");
        }
        if (problems.count() > mistakes) {
            return;
        }
        Price price = new Price(from, input, output, cached, write);
        boolean same = command.validFrom() == null
                ? book.at(now)
                        .map(old -> price.equals(new Price(
                                from,
                                old.inputPerMTok(),
                                old.outputPerMTok(),
                                old.cachedInputPerMTok(),
                                old.cacheWritePerMTok())))
                        .orElse(false)
                : book.prices().contains(price);
        if (same) {
            draft.put(command.model(), book, Change.UNCHANGED);
            return;
        }
        List<Price> prices = new ArrayList<>(book.prices());
        prices.removeIf(old -> old.validFrom().equals(from));
        prices.add(price);
        draft.put(command.model(), new PriceBook(prices), book.prices().isEmpty() ? Change.CREATED : Change.UPDATED);
    }

    private static Money amount(String text, String member, Problems problems) {
        if (text == null) {
            return null;
        }
        Optional<Money> money = Money.parse(text).filter(each -> each.micros() >= 0);
        if (money.isEmpty()) {
            problems.add(
                    UserErrorCode.INVALID,
                    "must be a decimal of at most 6 decimals that is not negative, such as 0.15; where the price is"
                            + " unknown, put none",
                    member);
        }
        return money.orElse(null);
    }
}
