/** What this node's share of a drill found out, on its way to the control plane: see {@link io.sluice.data.drill.DrillActor}. */
package io.sluice.data.drill;
