/**
 * Declared configuration: what platform teams write through GraphQL, as immutable records.
 * {@link io.sluice.tenants.config.Configuration} holds all of it at one epoch; the data plane never reads it directly but
 * through the {@code Snapshot} compiled from it.
 */
package io.sluice.tenants.config;
