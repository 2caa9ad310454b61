package io.sluice.control.store;

/**
 * The end of the audit log's chain.
 *
 * @param id of the last entry; 0 where there is none
 * @param hash of the last entry
 */
public record AuditHead(long id, String hash) {
    /** Before the first entry. */
    public static final AuditHead START = new AuditHead(0, AuditChain.START);
}
