package io.sluice.data.server;

/**
 * The data plane's listener.
 *
 * @param port 0 lets the system choose
 * @param requestLineMax bytes of the first line
 * @param headBytesMax bytes of all headers
 * @param headMs for a connection's first head to arrive
 * @param idleMs between requests of a connection
 * @param connectionsPerAddressMax per event loop
 * @param sendBufferBytes small, so that a caller who does not read is noticed before megabytes wait in the kernel
 */
public record GatewaySettings(
        String host,
        int port,
        int requestLineMax,
        int headBytesMax,
        long headMs,
        long idleMs,
        int connectionsPerAddressMax,
        int sendBufferBytes) {
    /** The defaults on a host and port. */
    public static GatewaySettings on(String host, int port) {
        return new GatewaySettings(host, port, 4_096, 16_384, 10_000, 60_000, 20_000, 65_536);
    }
}
