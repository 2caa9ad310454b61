package io.sluice.ops.hazelcast;

/** This process can not be a node of the cluster; the message says what a person can do about it. */
public final class ClusterJoinException extends Exception {
    private static final long serialVersionUID = 1L;

    ClusterJoinException(String message, Throwable cause) {
        super(message, cause);
    }
}
