package io.sluice.tenants.routing;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The pools that one tenant may name. Those of the platform are in a map that all tenants share whose prices are alike, so that a
 * thousand pools and ten thousand tenants are not ten million entries.
 *
 * @param own the tenant's, and those of the platform that differ for it, because it has prices of its own
 * @param platform all of the platform's, at the platform's prices; {@code own} comes first
 */
public record CompiledPools(Map<String, CompiledPool> own, Map<String, CompiledPool> platform) {
    public CompiledPools {
        own = Map.copyOf(own);
        platform = Map.copyOf(platform);
    }

    /** The pool of that name; null where there is none. */
    public CompiledPool get(String name) {
        CompiledPool pool = own.get(name);
        return pool != null ? pool : platform.get(name);
    }

    /** All names; a set of the caller's own. */
    public Set<String> names() {
        Set<String> names = new HashSet<>(platform.keySet());
        names.addAll(own.keySet());
        return names;
    }
}
