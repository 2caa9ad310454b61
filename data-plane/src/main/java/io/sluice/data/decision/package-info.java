/** Decision records on this node's disk: {@link io.sluice.data.decision.DecisionLog}. */
package io.sluice.data.decision;
