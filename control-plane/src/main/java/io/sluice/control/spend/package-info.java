/**
 * What requests cost, as finance sees it. Nodes ship their journals' lines to {@link io.sluice.control.spend.SpendActor}; sums by
 * quarter of an hour, closed days and corrections are kept in {@link io.sluice.control.spend.SpendStore}. Open
 * {@link io.sluice.control.spend.SpendDesk} for what can be asked.
 */
package io.sluice.control.spend;
