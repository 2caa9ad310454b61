/**
 * From configuration to a choice: {@link io.sluice.tenants.routing.Snapshot} is what the request path reads,
 * {@link io.sluice.tenants.routing.RouteDecider} orders the targets of a ladder, and
 * {@link io.sluice.tenants.routing.AttemptDecider} says what follows an attempt. All pure: what they need comes as arguments
 * and is kept in the decision record, so that a decision can be replayed.
 */
package io.sluice.tenants.routing;
