package io.sluice.tenants.config;

/** What a request does to the world; later constants are stricter (requirement C1). */
public enum RequestKind {
    /** Only reads: may be answered by a lower rung. */
    READ,
    /** Changes something: never answered by a lower rung. */
    WRITE,
    /** Answers are evidence: never answered by a lower rung. */
    COMPLIANCE;

    /** The stricter of the two; a header can make a request stricter than its scenario, never laxer. */
    public RequestKind strictest(RequestKind other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /** Whether a rung below the first may answer. */
    public boolean mayDescend() {
        return this == READ;
    }
}
