package io.sluice.ops.settings;

import io.sluice.plugins.api.Secret;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where one Redis and its replicas are and who we are to them.
 *
 * @param urls of all of them, as {@code redis://host:port} or {@code rediss://host:port}
 * @param password from the environment; wins over the file
 * @param passwordFile has the password and nothing else; read at start
 * @param replicasMin so many replicas have to have a write before it counts
 */
public record RedisAccess(
        List<String> urls,
        Optional<String> user,
        Optional<Secret> password,
        Optional<Path> passwordFile,
        int replicasMin) {
    public RedisAccess {
        urls = List.copyOf(urls);
    }

    /**
     * The Redis of each purpose; the same one where nothing else was said.
     *
     * @param configuration configuration, keys, audit
     * @param ledger the right to spend: must never evict
     * @param cache what comes again by itself where it is lost: how limits are divided among nodes
     */
    public record Purposes(RedisAccess configuration, RedisAccess ledger, RedisAccess cache) {}
}
