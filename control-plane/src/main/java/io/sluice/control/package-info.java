/**
 * Declared configuration, keys and audit, the snapshots that the data plane serves from, and the health and weights of
 * pools. Open {@link io.sluice.control.ControlPlane} first, then {@link io.sluice.control.config.ConfigDecider}.
 */
package io.sluice.control;
