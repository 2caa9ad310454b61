/**
 * Faults on purpose (requirement H6): what can go wrong, which rules make it go wrong for whom, and
 * {@link io.sluice.tenants.fault.FaultDecider}, which says what an attempt meets.
 */
package io.sluice.tenants.fault;
