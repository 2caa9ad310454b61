/**
 * When what was answered before is the answer again: {@link io.sluice.tenants.recall.IdempotencyDecider} for requests that their
 * callers named. Pure.
 */
package io.sluice.tenants.recall;
