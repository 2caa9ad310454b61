package io.sluice.ops.settings;

import io.sluice.control.shift.ShiftSettings;
import io.sluice.data.limit.LimitSettings;
import io.sluice.data.money.journal.JournalSettings;
import io.sluice.data.pool.PoolSettings;
import io.sluice.data.recall.CacheSettings;
import io.sluice.plugins.api.Secret;
import io.sluice.tenants.NodeRole;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How one process is set, found right as a whole. Made once at start; ops/docs/settings.md has each value's unit, default
 * and reason.
 *
 * @param dataDir absolute; everything the process keeps is under it
 * @param adminToken of the first platform administrator; empty where one is to be made
 * @param secretKey seals credentials; empty where one is to be made
 * @param roles what this process does; both where it is by itself
 * @param eventLoops threads that serve sockets; 0 means one per core
 * @param pools how all pools are treated: breakers, retries
 * @param cache of answers that equal requests share
 * @param rateLimits how limits are kept
 * @param shifts how scenarios are watched and how fast their traffic moves
 * @param cluster empty where this process is by itself
 * @param redis what nodes of a cluster share
 * @param drainGrace how long new requests are still taken once a stop was asked for, while {@code /readyz} already says no
 * @param drainMax how long running requests may go on after that
 */
public record Settings(
        Path dataDir,
        Optional<Secret> adminToken,
        Optional<Secret> secretKey,
        Set<NodeRole> roles,
        int eventLoops,
        Listeners listeners,
        Plugins plugins,
        Upstreams upstreams,
        Limits limits,
        PoolSettings pools,
        Faults faults,
        Cors cors,
        Decisions decisions,
        JournalSettings journal,
        Idempotency idempotency,
        CacheSettings cache,
        LimitSettings rateLimits,
        Drills drills,
        ShiftSettings shifts,
        Logging logging,
        Optional<ClusterSettings> cluster,
        Optional<RedisAccess.Purposes> redis,
        Duration drainGrace,
        Duration drainMax) {
    public Settings {
        roles = Set.copyOf(roles);
    }

    /** Where it listens; port 0 lets the system choose. */
    public record Listeners(String host, int port, int adminPort) {}

    /** Where plugin jars are looked for; the directory need not exist. */
    public record Plugins(Path directory) {}

    /**
     * Which upstreams are allowed.
     *
     * @param allowPrivate hosts that may have private, loopback or link-local addresses and plain http
     * @param loopback whether this machine's own addresses are allowed, as for the demo
     */
    public record Upstreams(List<String> allowPrivate, boolean loopback) {
        public Upstreams {
            allowPrivate = List.copyOf(allowPrivate);
        }
    }

    /**
     * Bounds of what is read.
     *
     * @param bodyBytesMax of a request
     * @param answerBytesMax of a whole answer of a provider
     */
    public record Limits(int bodyBytesMax, int answerBytesMax) {}

    /** Whether tenants may make calls fail on purpose. */
    public record Faults(boolean enabled) {}

    /** Web pages of these origins may call the management port; empty means only its own. */
    public record Cors(List<String> origins) {
        public Cors {
            origins = List.copyOf(origins);
        }
    }

    /** How long decision records are kept: until either bound is passed, oldest first. */
    public record Decisions(long retentionBytes, int retentionDays) {}

    /**
     * What is kept of requests that their callers named.
     *
     * @param ttl from the request on
     * @param bytesMax all records together
     * @param answerBytesMax of one answer
     * @param waitMax how long a repeat waits for the first
     */
    public record Idempotency(Duration ttl, long bytesMax, int answerBytesMax, Duration waitMax) {}

    /** After how long without an answer a rung is reported as unproven. */
    public record Drills(Duration unprovenAfter) {}

    /** What is logged and where. */
    public record Logging(AttemptLog attempts, LogTarget target) {}

    /** Which attempts at an upstream leave a line in the log. */
    public enum AttemptLog {
        OFF,
        /** Those that failed in a way an operator has to act on, such as a wrong credential. */
        ALERTS,
        /** All that failed. */
        FAILURES
    }

    /** Where the log goes. */
    public enum LogTarget {
        /** {@code logs/sluice.log} under the data directory. */
        FILE,
        /** Standard error, for containers. */
        STDERR
    }
}
