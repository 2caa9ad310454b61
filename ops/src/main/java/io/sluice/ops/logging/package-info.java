/** Where log lines go and what they look like. Open {@link io.sluice.ops.logging.Logs}. */
package io.sluice.ops.logging;
