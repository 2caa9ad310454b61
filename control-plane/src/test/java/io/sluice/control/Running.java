package io.sluice.control;

import io.sluice.control.api.CommandOutcome;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.Principal;
import io.sluice.control.config.Given;
import io.sluice.control.store.ConfigLog;
import io.sluice.control.store.SharedConfigStore;
import io.sluice.tenants.NodeRole;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.net.AddressRule;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A control plane with its Vert.x, for tests that wait. */
final class Running implements AutoCloseable {
    static final Principal ROOT = new Principal(Role.PLATFORM_ADMIN, null, "root");
    static final String ADMIN_TOKEN = "the operator's own token";

    final Vertx vertx;
    final ControlPlane plane;

    Running(Path directory) {
        this(settings(directory, ADMIN_TOKEN, null));
    }

    Running(ControlPlaneSettings settings) {
        this(Vertx.vertx(), settings, ControlStores::local);
    }

    private Running(Vertx vertx, ControlPlaneSettings settings, ControlStores.Opening stores) {
        this.vertx = vertx;
        try {
            plane = await(ControlPlane.start(vertx, settings, stores));
        } catch (RuntimeException | Error failed) {
            await(vertx.close());
            throw failed;
        }
    }

    /** One of several nodes that follow the same log. */
    static Running follower(Path directory, ConfigLog log) {
        Vertx vertx = Vertx.vertx();
        return new Running(
                vertx,
                settings(directory, ADMIN_TOKEN, "the secret of all nodes"),
                settings -> ControlStores.local(
                        settings, new SharedConfigStore(vertx, ControlStores.localConfig(settings), log)));
    }

    static ControlPlaneSettings settings(Path directory, String adminToken, String secretKey) {
        return new ControlPlaneSettings(
                directory,
                secretKey,
                adminToken,
                AddressRule.WITH_LOOPBACK,
                Map.of("simulator", Given.SIMULATOR),
                true,
                "node-1",
                Set.of(NodeRole.values()),
                InstantSource.system());
    }

    CommandOutcome execute(ConfigCommand command) {
        return execute(ROOT, command);
    }

    CommandOutcome execute(Principal principal, ConfigCommand command) {
        return await(plane.execute(principal, command));
    }

    Running withAcme() {
        Given.acmeCommands("acme").forEach(this::execute);
        return this;
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(failed.getCause());
        } catch (InterruptedException | TimeoutException stuck) {
            throw new AssertionError(stuck);
        }
    }

    @Override
    public void close() {
        await(plane.close());
        await(vertx.close());
    }
}
