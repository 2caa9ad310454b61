/**
 * The nouns that both planes speak: declared configuration, the compiled {@code Snapshot}, money, failure classes, route
 * decisions and bus messages. Nothing here reads a clock, opens a socket or knows a thread: times and random seeds are
 * arguments. Open {@link io.sluice.tenants.routing.RouteDecider} first, then {@link io.sluice.tenants.config.Configuration}.
 */
package io.sluice.tenants;
