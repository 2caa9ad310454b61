package io.sluice.data.upstream;

import java.net.InetAddress;

/** Whether the gateway may connect to an address. Asked for every resolved address of every origin, not only when it is saved. */
@FunctionalInterface
public interface AddressPolicy {
    /**
     * Whether a connection may go there.
     *
     * @param host as configured
     * @param address one of those it resolved to
     */
    boolean allows(String host, InetAddress address);
}
