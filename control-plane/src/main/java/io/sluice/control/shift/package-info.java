/**
 * Finds out that a scenario's first rung is in trouble and moves its traffic to a substitute, step by step and back. Open
 * {@link io.sluice.control.shift.ShiftDecider}.
 */
package io.sluice.control.shift;
