/** Figures of pools: what a node saw in a window, and what that says about a target's health. */
package io.sluice.tenants.health;
