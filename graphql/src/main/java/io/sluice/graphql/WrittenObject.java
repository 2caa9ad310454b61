package io.sluice.graphql;

import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.CreateApiKey;
import io.sluice.control.api.ConfigCommand.CreateApp;
import io.sluice.control.api.ConfigCommand.CreateTenant;
import io.sluice.control.api.ConfigCommand.EndFaultRule;
import io.sluice.control.api.ConfigCommand.EndSwitch;
import io.sluice.control.api.ConfigCommand.PutDrill;
import io.sluice.control.api.ConfigCommand.PutFaultRule;
import io.sluice.control.api.ConfigCommand.PutModel;
import io.sluice.control.api.ConfigCommand.PutPool;
import io.sluice.control.api.ConfigCommand.PutPrice;
import io.sluice.control.api.ConfigCommand.PutProvider;
import io.sluice.control.api.ConfigCommand.PutScenario;
import io.sluice.control.api.ConfigCommand.PutSwitch;
import io.sluice.control.api.ConfigCommand.PutWebhook;
import io.sluice.control.api.ConfigCommand.RemoveSpendCap;
import io.sluice.control.api.ConfigCommand.RemoveWebhook;
import io.sluice.control.api.ConfigCommand.RevokeApiKey;
import io.sluice.control.api.ConfigCommand.SetSpendCap;
import io.sluice.control.api.ConfigCommand.StartDrill;
import io.sluice.control.api.ConfigCommand.StopDrill;
import io.sluice.control.api.ConfigCommand.UpdateTenant;
import io.sluice.control.api.DateTimeText;
import io.sluice.tenants.Ids;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.money.Price;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds what a command was about in the configuration after it. Each method gives null where there is nothing.
 *
 * @param objectId as the outcome tells it; null after a conflict
 */
record WrittenObject(Configuration configuration, ConfigCommand command, String objectId) {
    Object tenant() {
        String id = command instanceof CreateTenant create ? create.id() : ((UpdateTenant) command).id();
        return tree(id).orElse(null);
    }

    Object app() {
        CreateApp create = (CreateApp) command;
        return tree(create.tenantId()).map(tree -> tree.apps().get(create.id())).orElse(null);
    }

    Object apiKey() {
        String tenantId =
                command instanceof CreateApiKey create ? create.tenantId() : ((RevokeApiKey) command).tenantId();
        String id = command instanceof RevokeApiKey revoke ? revoke.id() : objectId;
        return id == null
                ? null
                : tree(tenantId).map(tree -> tree.keys().get(id)).orElse(null);
    }

    Object accessToken() {
        return objectId == null ? null : configuration.accessTokens().get(objectId);
    }

    Object provider() {
        PutProvider put = (PutProvider) command;
        return inCatalog(put.tenantId(), catalog -> catalog.providers().get(put.id()));
    }

    Object model() {
        PutModel put = (PutModel) command;
        return inCatalog(put.tenantId(), catalog -> catalog.models().get(put.id()));
    }

    Object pool() {
        PutPool put = (PutPool) command;
        return inCatalog(put.tenantId(), catalog -> catalog.pools().get(put.id()));
    }

    Object scenario() {
        PutScenario put = (PutScenario) command;
        return tree(put.tenantId())
                .filter(tree -> tree.scenarios().containsKey(put.name()))
                .map(tree -> ScenarioView.of(tree, tree.scenarios().get(put.name())))
                .orElse(null);
    }

    Object faultRule() {
        String tenantId = command instanceof PutFaultRule put ? put.tenantId() : ((EndFaultRule) command).tenantId();
        String id = command instanceof PutFaultRule put ? put.id() : ((EndFaultRule) command).id();
        return tree(tenantId).map(tree -> tree.faultRules().get(id)).orElse(null);
    }

    Object degradation() {
        String tenantId = command instanceof PutSwitch put ? put.tenantId() : ((EndSwitch) command).tenantId();
        String id = command instanceof PutSwitch put ? put.id() : ((EndSwitch) command).id();
        return tree(tenantId).map(tree -> tree.switches().get(id)).orElse(null);
    }

    Object spendCap() {
        if (command instanceof SetSpendCap set) {
            String id =
                    SpendCapConfig.idOf(CapScope.valueOf(set.scope()), set.subject(), CapPeriod.valueOf(set.period()));
            return spendCap(set.tenantId(), id);
        }
        RemoveSpendCap remove = (RemoveSpendCap) command;
        return spendCap(remove.tenantId(), remove.id());
    }

    private Object spendCap(String tenantId, String id) {
        return tree(tenantId)
                .filter(tree -> tree.spendCaps().containsKey(id))
                .map(tree -> new CapView(tree.tenant(), tree.spendCaps().get(id)))
                .orElse(null);
    }

    Object webhook() {
        String tenantId = command instanceof PutWebhook put ? put.tenantId() : ((RemoveWebhook) command).tenantId();
        String id = command instanceof PutWebhook put ? put.id() : ((RemoveWebhook) command).id();
        return tree(tenantId).map(tree -> tree.webhooks().get(id)).orElse(null);
    }

    Object drill() {
        if (command instanceof PutDrill put) {
            return drill(put.tenantId(), put.id());
        }
        return command instanceof StartDrill start
                ? drill(start.tenantId(), start.id())
                : drill(((StopDrill) command).tenantId(), ((StopDrill) command).id());
    }

    private Object drill(String tenantId, String id) {
        return tree(tenantId)
                .filter(tree -> tree.drills().containsKey(id))
                .map(tree -> new DrillView(tree, tree.drills().get(id)))
                .orElse(null);
    }

    /** The price of the named date; without one, the price that holds last, since the command's date was its own instant. */
    Object price() {
        PutPrice put = (PutPrice) command;
        Instant validFrom = put.validFrom() == null
                ? null
                : DateTimeText.parse(put.validFrom()).orElseThrow();
        return inCatalog(
                put.tenantId(),
                catalog -> Optional.ofNullable(catalog.prices().get(put.model()))
                        .flatMap(book -> writtenPrice(book.prices(), validFrom))
                        .map(price -> new PricedModel(put.model(), price))
                        .orElse(null));
    }

    private static Optional<Price> writtenPrice(List<Price> prices, Instant validFrom) {
        return validFrom == null
                ? prices.stream()
                        .filter(price -> !price.validFrom().isAfter(Instant.now()))
                        .max(Comparator.comparing(Price::validFrom))
                : prices.stream()
                        .filter(price -> price.validFrom().equals(validFrom))
                        .findFirst();
    }

    private Object inCatalog(String tenantId, Function<Catalog, Object> find) {
        Optional<Catalog> catalog = tenantId == null
                ? Optional.of(configuration.platform())
                : tree(tenantId).map(TenantTree::catalog);
        return catalog.map(find).orElse(null);
    }

    private Optional<TenantTree> tree(String tenantId) {
        return Ids.valid(tenantId)
                ? Optional.ofNullable(configuration.tenants().get(new TenantId(tenantId)))
                : Optional.empty();
    }
}
