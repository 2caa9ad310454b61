package io.sluice.data.upstream;

/**
 * The clocks of one call, milliseconds from its start.
 *
 * @param firstTokenMs until the first content-bearing event
 * @param totalMs until the end of a whole answer; for a stream until its first content
 * @param streamTotalMs until the end of a stream, counted from its first content
 * @param idleMs longest silence within a begun answer
 */
public record CallTimes(long firstTokenMs, long totalMs, long streamTotalMs, long idleMs) {}
