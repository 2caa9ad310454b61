/** The data plane's sockets: {@link io.sluice.data.server.GatewayServer} and the guard in front of it. */
package io.sluice.data.server;
