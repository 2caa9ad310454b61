package io.sluice.graphql;

import java.util.Locale;
import java.util.Set;

/**
 * Whether a page of some origin may call the management port. Browsers send {@code Origin} with every cross-site call and with
 * every WebSocket; other clients send none and are not held up.
 *
 * @param allowed further origins, such as {@code https://console.example.org}, lower case
 */
record OriginRule(Set<String> allowed) {
    OriginRule {
        allowed = Set.copyOf(allowed);
    }

    /**
     * @param origin null where the header is absent
     * @param authority of the request, host and port; null where it is absent
     */
    boolean allows(String origin, String authority) {
        if (origin == null) {
            return true;
        }
        String lower = origin.toLowerCase(Locale.ROOT);
        return allowed.contains(lower)
                || (authority != null
                        && (lower.equals("http://" + authority.toLowerCase(Locale.ROOT))
                                || lower.equals("https://" + authority.toLowerCase(Locale.ROOT))));
    }
}
