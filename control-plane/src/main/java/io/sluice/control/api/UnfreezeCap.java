package io.sluice.control.api;

/**
 * An operator says that nodes which a frozen cap waits for do not come back.
 *
 * @param capId id of a spend cap of the tenant
 * @param reason for whoever reads the audit log
 */
public record UnfreezeCap(String tenantId, String capId, String reason) {}
