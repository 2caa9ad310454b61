/**
 * What drills found out and which rungs are known to answer: {@link io.sluice.control.drill.DrillBook} has it in memory, a
 * {@link io.sluice.control.drill.DrillStore} keeps it over restarts. None of it is configuration, so none of it makes an epoch.
 */
package io.sluice.control.drill;
