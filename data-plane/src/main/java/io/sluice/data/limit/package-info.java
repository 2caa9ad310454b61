/**
 * How much passes: the counters behind limits of callers ({@link io.sluice.data.limit.Limiter}) and of upstream accounts, in the
 * node's memory, without locks.
 */
package io.sluice.data.limit;
