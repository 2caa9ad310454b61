/**
 * From a typed wish to a new configuration, or to every mistake in it at once. Pure. Open
 * {@link io.sluice.control.config.ConfigDecider}.
 */
package io.sluice.control.config;
