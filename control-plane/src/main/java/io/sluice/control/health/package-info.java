/**
 * What all nodes saw of a pool, put together and turned into a health figure per target. Open
 * {@link io.sluice.control.health.HealthScore}.
 */
package io.sluice.control.health;
