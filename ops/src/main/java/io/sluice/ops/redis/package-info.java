/**
 * Adapters of the state ports to Redis, the only package that knows its client. {@link io.sluice.ops.redis.RedisLink} is the one way
 * there; the adapters are named after their ports.
 */
package io.sluice.ops.redis;
