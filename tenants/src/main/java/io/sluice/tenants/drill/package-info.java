/** What drills found out: figures of runs ({@link io.sluice.tenants.drill.DrillTally}) and when a rung last proved that it answers. */
package io.sluice.tenants.drill;
