/**
 * The way out: providers made ready for an epoch, addresses checked before every connection, and
 * {@link io.sluice.data.upstream.UpstreamExchange}, one call with its clocks.
 */
package io.sluice.data.upstream;
