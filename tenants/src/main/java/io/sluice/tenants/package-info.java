/**
 * Nouns that both planes speak: tenants, scenarios, pools, money, messages, and the pure rules over them.
 *
 * <p>JDK and Jackson only: nothing here knows a clock, a thread or Vert.x.
 */
package io.sluice.tenants;
