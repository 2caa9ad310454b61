package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.routing.CompiledCap;
import java.util.List;

/**
 * The spend caps that apply to a request.
 *
 * @param accounts where each of {@code caps} counts what is spent at the time of the request, in their order
 */
public record RequestCaps(List<CompiledCap> caps, List<AccountKey> accounts) {
    /** No cap applies. */
    public static final RequestCaps NONE = new RequestCaps(List.of(), List.of());

    public RequestCaps {
        caps = List.copyOf(caps);
        accounts = List.copyOf(accounts);
        if (caps.size() != accounts.size()) {
            throw new IllegalArgumentException("each cap has one account");
        }
    }
}
