package io.sluice.graphql;

import graphql.schema.DataFetchingEnvironment;
import io.sluice.control.api.Action;
import io.sluice.control.api.BalanceStanding;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.PutWebhook;
import io.sluice.control.api.ConfigCommand.RemoveWebhook;
import io.sluice.control.api.ConfigCommand.SetProviderBalance;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.graphql.Writes.Payload;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.WebhookConfig;
import io.vertx.core.Future;
import java.net.URI;
import java.util.Comparator;
import java.util.List;

/** The fields of webhooks and of prepaid balances, and how their inputs are read. */
final class WebhookTypes {
    private static final Rule SPEND = new Rule(Action.READ_SPEND);

    private final ControlPlaneApi api;

    private WebhookTypes(ControlPlaneApi api) {
        this.api = api;
    }

    static void register(Fields fields, ControlPlaneApi api) {
        WebhookTypes types = new WebhookTypes(api);
        fields.of("Query", Object.class, Rule.ANY_PRINCIPAL).fetched("providerBalances", SPEND, types::balances);
        fields.of("Tenant", TenantTree.class, SPEND).field("webhooks", WebhookTypes::webhooks);
        fields.of("Webhook", WebhookConfig.class, SPEND)
                .field("id", WebhookConfig::id)
                .field("version", WebhookConfig::version)
                .field("host", webhook -> URI.create(webhook.url()).getHost())
                .field("url", new Rule(Action.WRITE_WEBHOOKS), WebhookConfig::url)
                .field("thresholds", WebhookConfig::thresholds)
                .field("enabled", WebhookConfig::enabled)
                .field("removedAt", WebhookConfig::removedAt);
        fields.of("WebhookPayload", Payload.class, Rule.ANY_PRINCIPAL)
                .field("webhook", Payload::object)
                .field("secret", Payload::secret)
                .field("userErrors", Payload::userErrors);
        fields.of("ProviderBalance", BalanceStanding.class, SPEND)
                .field("provider", standing -> standing.provider().id())
                .field("version", BalanceStanding::version)
                .field("amount", BalanceStanding::amount)
                .field("declaredAt", BalanceStanding::declaredAt)
                .field("spent", BalanceStanding::spent)
                .field("left", BalanceStanding::left)
                .field("burnPerDay", BalanceStanding::burnPerDay)
                .field("runsOutAt", BalanceStanding::runsOutAt)
                .field("low", BalanceStanding::low)
                .field("currency", BalanceStanding::currency);
        fields.of("ProviderBalancePayload", Payload.class, Rule.ANY_PRINCIPAL)
                .fetched("balance", SPEND, types::written)
                .field("userErrors", Payload::userErrors);
    }

    /** Those that are there, by id. */
    private static List<WebhookConfig> webhooks(TenantTree tree) {
        return tree.webhooks().values().stream()
                .filter(webhook -> !webhook.removed())
                .sorted(Comparator.comparing(WebhookConfig::id))
                .toList();
    }

    private Future<List<BalanceStanding>> balances(DataFetchingEnvironment environment) {
        Caller caller = environment.getGraphQlContext().get(Caller.class);
        Sight sight = new Sight(api.configuration(), caller);
        String asked = environment.getArgument("tenantId");
        TenantId owner = asked == null
                ? caller.principal().tenantId()
                : sight.tenant(asked, Action.READ_SPEND)
                        .map(tree -> tree.tenant().id())
                        .orElseThrow(() ->
                                new RefusedException(ErrorCode.BAD_USER_INPUT, "tenantId: there is no such tenant"));
        return api.balances(owner);
    }

    /** How the account of a payload stands; null where nothing was declared. */
    private Future<BalanceStanding> written(DataFetchingEnvironment environment) {
        Payload payload = environment.getSource();
        if (!(payload.object() instanceof SetProviderBalance set)) {
            return Future.succeededFuture();
        }
        TenantId owner = set.tenantId() == null ? null : new TenantId(set.tenantId());
        return api.balances(owner)
                .map(all -> all.stream()
                        .filter(each -> each.provider().id().equals(set.provider()))
                        .findFirst()
                        .orElse(null));
    }

    static ConfigCommand put(InputObject input) {
        return new PutWebhook(
                input.text("tenantId"),
                input.text("id"),
                input.integer("version"),
                input.text("url"),
                input.text("secret"),
                input.decimals("thresholds"),
                input.flag("enabled"));
    }

    static ConfigCommand remove(InputObject input) {
        return new RemoveWebhook(input.text("tenantId"), input.text("id"), input.integer("version"));
    }

    static ConfigCommand setBalance(InputObject input) {
        return new SetProviderBalance(
                input.text("tenantId"), input.text("provider"), input.text("amount"), input.text("at"));
    }
}
