package io.sluice.data.recall;

import io.sluice.tenants.TenantId;

/**
 * What one caller calls one request. Callers of other tenants, other apps and other routes mean something else by the same text.
 *
 * @param route such as {@code chat}
 * @param text 1 to 255 visible ASCII characters
 */
public record IdempotencyKey(TenantId tenant, String app, String route, String text) {}
