/** What becomes of the ledger's figures: how caps stand, for people, and which bands that gives, for nodes. Open {@link io.sluice.control.budget.BandActor}. */
package io.sluice.control.budget;
