/** How an actor takes over what its node comes to own: {@link io.sluice.control.owner.Takeover}. */
package io.sluice.control.owner;
