package io.sluice.ops;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** What the system says about ports. */
final class Ports {
    private Ports() {}

    /** A port that nobody listens on now; the data plane's servers share one, so its number must be known before the first. */
    static int free(String host) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), 0));
            return socket.getLocalPort();
        }
    }

    /**
     * Why a listener could not be opened, in one line for a person.
     *
     * @param setting what the port is set by
     */
    static String explain(String setting, int port, Throwable cause) {
        return cause instanceof BindException
                ? "port " + port + " is in use or not permitted (" + cause.getMessage()
                        + "); stop what uses it, or set another with " + setting
                : "can't listen on port " + port + ": " + cause.getMessage();
    }
}
