/**
 * How a process is set: one YAML file, the environment and the command line become one immutable
 * {@link io.sluice.ops.settings.Settings}, or a list of every mistake. Open {@link io.sluice.ops.settings.SettingsReader}.
 */
package io.sluice.ops.settings;
