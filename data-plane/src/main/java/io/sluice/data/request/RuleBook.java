package io.sluice.data.request;

import io.sluice.data.limit.LimitCounters;
import io.sluice.data.limit.Limiter;
import io.sluice.data.limit.Limiter.Rule;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.limit.LimitKey;
import io.sluice.tenants.limit.LimitLevel;
import io.sluice.tenants.routing.CompiledLimits;
import io.sluice.tenants.routing.CompiledScenario;
import java.util.ArrayList;
import java.util.List;

/**
 * Which limits apply to the requests of a key for a scenario, found once per configuration: five levels are as many look-ups. For one
 * event loop.
 */
final class RuleBook {
    private final Limiter limiter;
    private final LimitCounters counters;
    private final PairBook<RequestRules> book = new PairBook<>(this::find);

    RuleBook(Limiter limiter, LimitCounters counters) {
        this.limiter = limiter;
        this.counters = counters;
    }

    /**
     * What applies to a request.
     *
     * @param scenario null where it is not known what the request is for: it will not run
     * @return null where no limit could apply
     */
    RequestRules of(Caller caller, CompiledScenario scenario) {
        boolean limited = caller.key().limits() != null
                || caller.tenant().limits() != null
                || (scenario != null && scenario.limits() != null);
        return limited ? book.of(caller, scenario) : null;
    }

    private RequestRules find(Caller caller, CompiledScenario scenario) {
        TenantId tenant = caller.tenant().id();
        String appId = caller.key().appId();
        CompiledLimits limits = caller.tenant().limits();
        AppConfig app = limits == null ? null : limits.apps().get(appId);
        List<Rule> rules = new ArrayList<>(4);
        add(
                rules,
                caller.key().limits(),
                new LimitKey(tenant, LimitLevel.KEY, caller.key().id()));
        if (scenario != null) {
            add(rules, scenario.limits(), new LimitKey(tenant, LimitLevel.SCENARIO, scenario.name()));
        }
        if (app != null) {
            add(rules, app.limits(), new LimitKey(tenant, LimitLevel.APP, appId));
        }
        if (limits != null) {
            add(rules, limits.tenant(), new LimitKey(tenant, LimitLevel.TENANT, ""));
        }
        return new RequestRules(
                scenario == null ? limiter.rulesInVain(rules) : limiter.rules(rules),
                tenant,
                appId,
                limits == null ? null : limits.endUsers(),
                app == null ? null : app.endUserLimits(),
                rules.stream().mapToInt(RequestRules::tokens).min().orElse(Integer.MAX_VALUE),
                scenario == null ? null : counters.usual(tenant, scenario.name()));
    }

    private static void add(List<Rule> rules, LimitsConfig limits, LimitKey key) {
        if (limits != null) {
            rules.add(new Rule(key, limits));
        }
    }
}
