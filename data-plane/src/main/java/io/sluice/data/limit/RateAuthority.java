package io.sluice.data.limit;

import io.vertx.core.Future;
import java.util.List;

/**
 * Divides limits among nodes: all shares of a limit together are never more than the limit, but for what nodes used before it was
 * lowered. A node that says nothing for {@link #FORGOTTEN_MS} has no share any more. Thread-safe; nothing blocks.
 */
public interface RateAuthority {
    /** Longer than what a node used stays in its window (61 s), with time for a node to be late. */
    long FORGOTTEN_MS = 90_000;

    /**
     * What a node says and wants of one limit.
     *
     * @param key of the limit, beginning with its tenant
     * @param held used on the node: can't be given back
     * @param want share it would like; at least {@code held}
     */
    record Ask(String key, long limit, long held, long want) {}

    /**
     * An answer.
     *
     * @param share of the node from now on
     * @param elsewhere what other nodes said they use
     */
    record Share(long share, long elsewhere) {}

    /** Answers in the order of {@code asks}; fails where the authority can't be reached, then nothing changed for this node. */
    Future<List<Share>> settle(List<Ask> asks);
}
