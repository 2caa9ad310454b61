/**
 * The node's side of the escrow ledger. Open {@link io.sluice.data.money.Purse}: requests reserve and settle there, without a
 * lock and without I/O, out of slices that {@link io.sluice.data.money.Leases} drew from the authority beforehand.
 */
package io.sluice.data.money;
