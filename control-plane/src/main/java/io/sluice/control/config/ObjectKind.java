package io.sluice.control.config;

import io.sluice.tenants.config.AccessTokenConfig;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.FaultRuleConfig;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.ProviderBalanceConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.WebhookConfig;
import io.sluice.tenants.money.PriceBook;
import java.util.Arrays;

/** The kinds of objects a configuration is made of: their word in change lists and stores, and their record. */
public enum ObjectKind {
    TENANT("tenant", TenantConfig.class),
    APP("app", AppConfig.class),
    KEY("apiKey", ApiKeyConfig.class),
    PROVIDER("provider", ProviderConfig.class),
    MODEL("model", ModelConfig.class),
    PRICE("price", PriceBook.class),
    POOL("pool", PoolConfig.class),
    SCENARIO("scenario", ScenarioConfig.class),
    FAULT_RULE("faultRule", FaultRuleConfig.class),
    SWITCH("switch", SwitchConfig.class),
    DRILL("drill", DrillConfig.class),
    SPEND_CAP("spendCap", SpendCapConfig.class),
    WEBHOOK("webhook", WebhookConfig.class),
    BALANCE("providerBalance", ProviderBalanceConfig.class),
    ACCESS_TOKEN("accessToken", AccessTokenConfig.class);

    private final String word;
    private final Class<?> record;

    ObjectKind(String word, Class<?> record) {
        this.word = word;
        this.record = record;
    }

    public String word() {
        return word;
    }

    /** What objects of this kind are instances of. */
    public Class<?> record() {
        return record;
    }

    /** The kind of that word; throws {@link IllegalArgumentException} where there is none. */
    public static ObjectKind of(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of object: " + word));
    }
}
