/**
 * How short money is in a cap, how fast it goes, and what is told of it; pure. Open {@link io.sluice.tenants.budget.BandDecider}. What a
 * band does to a request is {@code BandRule} in the routing package.
 */
package io.sluice.tenants.budget;
