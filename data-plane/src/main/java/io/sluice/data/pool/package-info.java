/**
 * What a node knows of a pool: {@link io.sluice.data.pool.PoolActor} owns the figures and the circuit breakers,
 * {@link io.sluice.data.pool.TargetGauge} is the part that requests read and count on without asking the actor.
 */
package io.sluice.data.pool;
