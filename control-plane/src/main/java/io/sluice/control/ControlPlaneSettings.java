package io.sluice.control;

import io.sluice.control.shift.ShiftSettings;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.bus.Owners;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.tenants.NodeRole;
import io.sluice.tenants.net.AddressRule;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a control plane is started with.
 *
 * @param dataDir where store and secret are kept; made where it is missing
 * @param secretKey the server's secret; null means the one in the data directory, made at the first start
 * @param adminToken a platform administrator's token chosen by the operator; null means that one is made at the first start
 *     and shown once ({@link ControlPlane#madeAdminToken})
 * @param upstreams where providers may be
 * @param plugins provider plugins by their word
 * @param faults whether tenants may have fault rules
 * @param nodeId of this process, as the data plane on it names itself
 * @param roles of this process: without {@link NodeRole#CONTROL} it owns nothing and hands on what its data plane says
 * @param unprovenAfter a rung that has not answered for longer is reported as unproven
 * @param shifts how scenarios are watched and how fast their traffic moves
 * @param owners which pools and tenants are this node's
 * @param states where owners leave what the next one needs
 */
public record ControlPlaneSettings(
        Path dataDir,
        String secretKey,
        String adminToken,
        AddressRule upstreams,
        Map<String, ProviderFactory> plugins,
        boolean faults,
        String nodeId,
        Set<NodeRole> roles,
        InstantSource clock,
        Duration unprovenAfter,
        ShiftSettings shifts,
        Owners owners,
        SoftStates states) {
    /** Requirement C5. */
    public static final Duration UNPROVEN_AFTER = Duration.ofDays(30);

    public ControlPlaneSettings {
        Objects.requireNonNull(dataDir);
        Objects.requireNonNull(upstreams);
        Objects.requireNonNull(nodeId);
        Objects.requireNonNull(clock);
        Objects.requireNonNull(shifts);
        if (!owners.node().equals(nodeId)) {
            throw new IllegalArgumentException("the cluster knows this node as " + owners.node() + ", not " + nodeId);
        }
        Objects.requireNonNull(states);
        plugins = Map.copyOf(plugins);
        roles = Set.copyOf(roles);
        if (adminToken != null && adminToken.isBlank()) {
            throw new IllegalArgumentException("SLUICE_ADMIN_TOKEN is blank; unset it to have a token made");
        }
    }

    /** Of the only node. */
    public ControlPlaneSettings(
            Path dataDir,
            String secretKey,
            String adminToken,
            AddressRule upstreams,
            Map<String, ProviderFactory> plugins,
            boolean faults,
            String nodeId,
            Set<NodeRole> roles,
            InstantSource clock,
            Duration unprovenAfter,
            ShiftSettings shifts) {
        this(
                dataDir,
                secretKey,
                adminToken,
                upstreams,
                plugins,
                faults,
                nodeId,
                roles,
                clock,
                unprovenAfter,
                shifts,
                new Owners.Alone(nodeId),
                new SoftStates.InMemory());
    }

    /** Of the only node, with the defaults of what has one. */
    public ControlPlaneSettings(
            Path dataDir,
            String secretKey,
            String adminToken,
            AddressRule upstreams,
            Map<String, ProviderFactory> plugins,
            boolean faults,
            String nodeId,
            Set<NodeRole> roles,
            InstantSource clock) {
        this(
                dataDir,
                secretKey,
                adminToken,
                upstreams,
                plugins,
                faults,
                nodeId,
                roles,
                clock,
                UNPROVEN_AFTER,
                ShiftSettings.DEFAULT);
    }

    /** The same as one node of several. */
    public ControlPlaneSettings in(Owners cluster, SoftStates shared) {
        return new ControlPlaneSettings(
                dataDir,
                secretKey,
                adminToken,
                upstreams,
                plugins,
                faults,
                nodeId,
                roles,
                clock,
                unprovenAfter,
                shifts,
                cluster,
                shared);
    }

    @Override
    public String toString() {
        return "ControlPlaneSettings[" + dataDir + ", " + nodeId + "]";
    }
}
