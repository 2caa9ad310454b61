package io.sluice.ops.redis;

/** Redis did not take the command, or did not answer in time; in the second case the command may have been applied. */
public final class RedisAwayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RedisAwayException(String message) {
        super(message);
    }

    RedisAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
