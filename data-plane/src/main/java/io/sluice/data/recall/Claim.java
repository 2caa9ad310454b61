package io.sluice.data.recall;

import io.sluice.tenants.config.RequestKind;

/**
 * A request that comes under a key.
 *
 * @param fingerprint of all that makes it the same request: SHA-256 in hex
 * @param atMs since 1970, when it came
 */
public record Claim(IdempotencyKey key, String fingerprint, RequestKind kind, String traceId, long atMs) {}
