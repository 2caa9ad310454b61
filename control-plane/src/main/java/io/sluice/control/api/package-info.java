/**
 * What the administration API may ask of the control plane, and nothing else of it. Open
 * {@link io.sluice.control.api.ControlPlaneApi}.
 */
package io.sluice.control.api;
