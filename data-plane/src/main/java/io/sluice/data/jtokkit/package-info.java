/** The only package that knows the tokeniser library: {@link io.sluice.data.jtokkit.JtokkitCounter}. */
package io.sluice.data.jtokkit;
