/**
 * Finds the provider plugins of a process: those on the class path and those in jars that an operator dropped into a directory.
 * Open {@link io.sluice.plugins.api.registry.PluginRegistry}.
 */
package io.sluice.plugins.api.registry;
