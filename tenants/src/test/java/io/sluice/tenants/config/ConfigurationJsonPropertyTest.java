package io.sluice.tenants.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.tenants.RandomConfig;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.Seeds;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.json.StrictJson;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is stored is what was declared: each record and the whole configuration come back equal from JSON. */
class ConfigurationJsonPropertyTest {
    private static final TenantId TENANT = new TenantId("acme");

    @Test
    void everyRecordComesBackEqual() {
        Seeds.check(500, random -> {
            RandomConfig make = new RandomConfig(random);
            ScopedId id = make.oneOf(ScopedId.platform("x/y:z"), new ScopedId(TENANT, "x"));
            comesBack(make.provider(id), ProviderConfig.class);
            comesBack(make.credential(), CredentialRef.class);
            comesBack(make.model(id), ModelConfig.class);
            comesBack(make.pool(id), PoolConfig.class);
            comesBack(make.scenario(), ScenarioConfig.class);
            comesBack(make.key(), ApiKeyConfig.class);
            comesBack(make.accessToken(), AccessTokenConfig.class);
            comesBack(make.tree(TENANT).tenant(), TenantConfig.class);
            comesBack(make.tree(TENANT), TenantTree.class);
            comesBack(make.catalog(null), Catalog.class);
            comesBack(new AppConfig("a", make.orNull(make::text)), AppConfig.class);
            comesBack(new UserError(List.of("targets", "0"), UserErrorCode.INVALID, make.text()), UserError.class);
        });
    }

    @Test
    void theWholeConfigurationComesBackEqual() {
        Seeds.check(200, random -> comesBack(new RandomConfig(random).configuration(), Configuration.class));
    }

    @Test
    void aStoredRecordWithoutAMandatoryMemberIsRefused() {
        assertThatThrownBy(() -> StrictJson.MAPPER.readValue("{\"name\":\"s\",\"version\":1}", ScenarioConfig.class))
                .isInstanceOf(JsonProcessingException.class);
        assertThatThrownBy(() -> StrictJson.MAPPER.readValue(
                        "{\"provider\":\"p\",\"model\":\"m\",\"weight\":null}", TargetConfig.class))
                .isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void aStoredIdIsCheckedAgain() {
        assertThatThrownBy(() -> StrictJson.MAPPER.readValue("{\"tenant\":\"a b\",\"id\":\"x\"}", ScopedId.class))
                .isInstanceOf(JsonProcessingException.class);
        assertThatThrownBy(() -> StrictJson.MAPPER.readValue("{\"id\":\"../x\"}", ScopedId.class))
                .isInstanceOf(JsonProcessingException.class);
    }

    private static <T> void comesBack(T value, Class<T> type) throws JsonProcessingException {
        String json = StrictJson.MAPPER.writeValueAsString(value);
        assertThat(StrictJson.MAPPER.readValue(json, type)).isEqualTo(value);
    }
}
