/** The server's secret and what is sealed and hashed with it. Open {@link io.sluice.control.secret.SecretBox}. */
package io.sluice.control.secret;
