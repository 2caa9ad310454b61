package io.sluice.control.config;

import io.sluice.plugins.api.ProviderFactory;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.key.KeyFormat;
import io.sluice.tenants.net.AddressRule;
import java.time.Instant;
import java.util.Map;

/**
 * What a decision depends on besides the configuration and the command.
 *
 * @param plugins factories of provider plugins by {@link ProviderFactory#plugin()}
 * @param upstreams where a base URL may point
 * @param places where a credential may be read from
 * @param faults whether fault rules may be put
 * @param role of who gives the command; whether it may is decided before, but not all roles may write every value
 */
public record DecisionContext(
        Instant now,
        KeyMint mint,
        Map<String, ProviderFactory> plugins,
        AddressRule upstreams,
        Sealer sealer,
        CredentialPlaces places,
        boolean faults,
        Role role) {
    public DecisionContext {
        plugins = Map.copyOf(plugins);
    }

    /** Makes keys of random bits. */
    @FunctionalInterface
    public interface KeyMint {
        Minted mint(KeyFormat format);
    }

    /**
     * A new key or token.
     *
     * @param text the whole key, to be shown once
     * @param secretHash as it is stored
     */
    public record Minted(String id, String text, String secretHash) {
        @Override
        public String toString() {
            return "Minted[" + id + "]";
        }
    }

    /** Seals credentials for one provider, so that a sealed one is of no use at another. */
    public interface Sealer {
        CredentialRef.Sealed seal(TenantId owner, String provider, String credential);

        /** Whether {@code sealed} holds that credential of that provider. */
        boolean holds(TenantId owner, String provider, CredentialRef.Sealed sealed, String credential);
    }
}
