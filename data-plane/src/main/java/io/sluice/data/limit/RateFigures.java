package io.sluice.data.limit;

/**
 * What callers are told of their limits: of each kind the tightest, which is the one with the least left.
 *
 * @param requests null where no limit on requests applies
 * @param tokens null where no limit on tokens applies
 */
public record RateFigures(Figure requests, Figure tokens) {
    /**
     * One limit.
     *
     * @param resetMs until all of it is there again, if nothing more is used
     */
    public record Figure(int limit, long remaining, long resetMs) {}
}
