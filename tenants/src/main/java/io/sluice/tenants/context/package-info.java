/** How much of a conversation a model gets to read (requirement B9). First open {@link io.sluice.tenants.context.ContextDecider}. */
package io.sluice.tenants.context;
