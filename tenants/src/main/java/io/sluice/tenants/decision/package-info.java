/** What a request's decisions were made of: see {@link io.sluice.tenants.decision.DecisionRecord}. */
package io.sluice.tenants.decision;
