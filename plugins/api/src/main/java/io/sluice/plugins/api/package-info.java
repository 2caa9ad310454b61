/**
 * What a provider plugin sees of Sluice: {@link io.sluice.plugins.api.ProviderFactory} makes a
 * {@link io.sluice.plugins.api.Provider}, a pure codec that turns a canonical request into one HTTP exchange and the answer's
 * bytes into canonical events. Sockets, time, retries, money and routing are the gateway's. Open {@code Provider} first.
 */
package io.sluice.plugins.api;
