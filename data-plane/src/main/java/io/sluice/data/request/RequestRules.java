package io.sluice.data.request;

import io.sluice.data.limit.Limiter.Rule;
import io.sluice.data.limit.RuleSet;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.limit.LimitKey;
import io.sluice.tenants.limit.LimitLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The limits of an API key's requests for one scenario. End users come with the requests, so of theirs only the numbers are known.
 *
 * @param set of key, scenario, app and tenant
 * @param endUsers of each end user of the tenant; null where there are none
 * @param appEndUsers of each end user of the app; null where there are none
 * @param tokensMin the smallest limit on tokens but for those of end users; {@link Integer#MAX_VALUE} where there is none
 * @param usual tokens of usual answers; null where the scenario is not known
 */
record RequestRules(
        RuleSet set,
        TenantId tenant,
        String app,
        LimitsConfig endUsers,
        LimitsConfig appEndUsers,
        int tokensMin,
        AtomicInteger usual) {
    /**
     * Those of the request's end user.
     *
     * @param endUser null where the request names none
     */
    List<Rule> ofEndUser(String endUser) {
        if (endUser == null || (endUsers == null && appEndUsers == null)) {
            return List.of();
        }
        List<Rule> rules = new ArrayList<>(2);
        if (endUsers != null) {
            rules.add(new Rule(new LimitKey(tenant, LimitLevel.END_USER, endUser), endUsers));
        }
        if (appEndUsers != null) {
            rules.add(new Rule(new LimitKey(tenant, LimitLevel.APP_END_USER, app, endUser), appEndUsers));
        }
        return rules;
    }

    /** The smallest limit on tokens; {@link Integer#MAX_VALUE} where there is none. */
    int tokensMin(List<Rule> ofEndUser) {
        int min = tokensMin;
        for (int i = 0; i < ofEndUser.size(); i++) {
            min = Math.min(min, tokens(ofEndUser.get(i)));
        }
        return min;
    }

    static int tokens(Rule rule) {
        Integer limit = rule.limits().tokensPerMinute();
        return limit == null ? Integer.MAX_VALUE : limit;
    }
}
