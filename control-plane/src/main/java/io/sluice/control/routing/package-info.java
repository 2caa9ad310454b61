/**
 * From health to the weights that every node uses, and what they would choose now. Open
 * {@link io.sluice.control.routing.WeightPlan}.
 */
package io.sluice.control.routing;
