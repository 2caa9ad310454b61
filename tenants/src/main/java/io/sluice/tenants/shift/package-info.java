/**
 * How a scenario's traffic moves from its first rung to a substitute and back, as both planes speak of it: what nodes see of a
 * scenario, and the state that says how much is shifted. Open {@link io.sluice.tenants.shift.ShiftState}.
 */
package io.sluice.tenants.shift;
