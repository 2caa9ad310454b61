package io.sluice.tenants.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.money.ListPrices;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.PriceBook;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigurationTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");

    private final Configuration configuration = Configuration.EMPTY
            .with(
                    null,
                    Catalog.EMPTY
                            .with(model(null, "shared", 1))
                            .with(model(null, "both", 1))
                            .with(pool(null, "both"))
                            .with(provider(null, "both"))
                            .withPrices("both", priceOf(1)))
            .with(tenant(ACME))
            .with(tenant(OTHER))
            .with(
                    ACME,
                    Catalog.EMPTY
                            .with(model(ACME, "both", 2))
                            .with(model(ACME, "own", 2))
                            .with(pool(ACME, "both"))
                            .with(provider(ACME, "both"))
                            .withPrices("both", priceOf(2)));

    @Test
    void aTenantSeesItsOwnObjectBeforeThePlatforms() {
        assertThat(configuration.model(ACME, "both")).contains(model(ACME, "both", 2));
        assertThat(configuration.pool(ACME, "both")).contains(pool(ACME, "both"));
        assertThat(configuration.provider(ACME, "both")).contains(provider(ACME, "both"));
        assertThat(configuration.prices(ACME, "both", "both")).isEqualTo(priceOf(2));
    }

    @Test
    void aTenantSeesThePlatformsObjectWhereItHasNone() {
        assertThat(configuration.model(ACME, "shared")).contains(model(null, "shared", 1));
        assertThat(configuration.model(OTHER, "both")).contains(model(null, "both", 1));
        assertThat(configuration.prices(OTHER, "both", "both")).isEqualTo(priceOf(1));
    }

    @Test
    void nobodyElseSeesATenantsObject() {
        assertThat(configuration.model(OTHER, "own")).isEmpty();
        assertThat(configuration.model(null, "own")).isEmpty();
        assertThat(configuration.pool(null, "both")).contains(pool(null, "both"));
    }

    @Test
    void whatNobodyHasIsAbsent() {
        assertThat(configuration.provider(ACME, "nope")).isEmpty();
        assertThat(configuration.prices(ACME, "nope", "nope")).isEqualTo(PriceBook.EMPTY);
        assertThat(configuration.catalogOf(new TenantId("nobody"))).isEmpty();
        assertThat(configuration.model(new TenantId("nobody"), "shared")).isPresent();
    }

    @Test
    void aModelWithoutAPriceHasThatOfTheStartingTable() {
        PriceBook listed = ListPrices.of("gpt-4o-mini").orElseThrow();
        assertThat(configuration.prices(ACME, "small", "gpt-4o-mini")).isEqualTo(listed);
        assertThat(configuration.prices(ACME, "gpt-4o-mini", "a-deployment")).isEqualTo(listed);
        assertThat(configuration.prices(ACME, "gpt-4o", "gpt-4o-mini")).isEqualTo(listed);
        assertThat(configuration.prices(ACME, "both", "gpt-4o-mini")).isEqualTo(priceOf(2));
        assertThat(configuration.prices(null, "small", "gpt-4o-mini")).isEqualTo(listed);
    }

    @Test
    void pricesInDollarsAreNotForATenantWithAnotherCurrency() {
        TenantId euros = new TenantId("euros");
        Configuration with = configuration
                .with(TenantTree.of(new TenantConfig(euros, 1, "", ZoneId.of("UTC"), "EUR", false)))
                .with(euros, Catalog.EMPTY.withPrices("own", priceOf(3)));
        assertThat(with.prices(euros, "both", "both")).isEqualTo(PriceBook.EMPTY);
        assertThat(with.prices(euros, "gpt-4o-mini", "gpt-4o-mini")).isEqualTo(PriceBook.EMPTY);
        assertThat(with.prices(euros, "own", "own")).isEqualTo(priceOf(3));
    }

    @Test
    void aChangeMakesANewConfigurationAndLeavesTheOldOne() {
        Configuration changed = configuration.with(ACME, Catalog.EMPTY).atEpoch(7);
        assertThat(changed.epoch()).isEqualTo(7);
        assertThat(changed.model(ACME, "own")).isEmpty();
        assertThat(configuration.model(ACME, "own")).isPresent();
        assertThatThrownBy(() -> configuration.tenants().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void onlyAPlatformAdministratorsTokenHasNoTenant() {
        assertThat(new AccessTokenConfig("i", Role.PLATFORM_ADMIN, null, "n", "h", null).tenantId())
                .isNull();
        for (Role role : Role.values()) {
            if (role != Role.PLATFORM_ADMIN) {
                assertThatThrownBy(() -> new AccessTokenConfig("i", role, null, "n", "h", null))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void aRevokedKeyIsTheSameKeyOtherwise() {
        Instant at = Instant.parse("2026-01-02T03:04:05Z");
        ApiKeyConfig key = new ApiKeyConfig(
                "k", "app", "00", "gw", List.of("s"), "s", List.of("auto"), Instant.EPOCH, null, null, null);
        assertThat(key.revoked(at))
                .isEqualTo(new ApiKeyConfig(
                        "k", "app", "00", "gw", List.of("s"), "s", List.of("auto"), Instant.EPOCH, null, at, null));
    }

    private static TenantTree tenant(TenantId id) {
        return TenantTree.of(new TenantConfig(id, 1, "", ZoneId.of("UTC"), "USD", false));
    }

    private static ModelConfig model(TenantId owner, String id, int version) {
        return new ModelConfig(new ScopedId(owner, id), version, 1, 1, true, true, true);
    }

    private static PoolConfig pool(TenantId owner, String id) {
        return new PoolConfig(new ScopedId(owner, id), 1, Tier.LIGHT, List.of());
    }

    private static ProviderConfig provider(TenantId owner, String id) {
        return new ProviderConfig(new ScopedId(owner, id), 1, "openai", null, null, null, null, null, null);
    }

    private static PriceBook priceOf(long micros) {
        return new PriceBook(List.of(new Price(Instant.EPOCH, new Money(micros), new Money(micros), null, null)));
    }
}
