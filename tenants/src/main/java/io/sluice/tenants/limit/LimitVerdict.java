package io.sluice.tenants.limit;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * The limit that keeps a request out.
 *
 * @param retryAfterMs when it is worth coming back; 0 where the request alone is more than the limit, so that it never is
 */
public record LimitVerdict(LimitLevel level, LimitKind kind, int limit, long retryAfterMs) {
    /** Whether the request would be refused even if nobody else asked. */
    @JsonIgnore
    public boolean neverFits() {
        return retryAfterMs == 0;
    }
}
