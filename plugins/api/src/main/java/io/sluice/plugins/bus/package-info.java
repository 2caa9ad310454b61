/** The typed bus: which message goes to which address, over Vert.x's event bus. Open {@link io.sluice.plugins.bus.Bus}. */
package io.sluice.plugins.bus;
