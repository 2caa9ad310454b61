/**
 * How trouble is named: {@link io.sluice.tenants.failure.FailureClass} for a failed attempt of an upstream,
 * {@link io.sluice.tenants.failure.Refusal} for what a caller is told.
 */
package io.sluice.tenants.failure;
