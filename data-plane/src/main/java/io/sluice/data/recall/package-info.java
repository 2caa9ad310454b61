/**
 * What was answered is kept, so that asking again has one effect. Open {@link io.sluice.data.recall.IdempotencyDesk} first; the
 * rules are {@link io.sluice.tenants.recall.IdempotencyDecider}'s.
 */
package io.sluice.data.recall;
