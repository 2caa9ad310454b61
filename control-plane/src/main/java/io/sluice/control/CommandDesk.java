package io.sluice.control;

import io.sluice.control.api.CommandOutcome;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.ApplyDocument;
import io.sluice.control.api.Principal;
import io.sluice.control.config.AccessDecider;
import io.sluice.control.config.CommandScope;
import io.sluice.control.config.ConfigDecider;
import io.sluice.control.config.ConfigDecision.Accepted;
import io.sluice.control.config.ObjectChange;
import io.sluice.control.store.StoreConflictException;
import io.sluice.control.store.StoreException;
import io.sluice.control.store.StoredWrite;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.routing.SnapshotCompiler;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes commands: asks whether they may be given and what they make, compiles the result, and hands it on to be stored. Used
 * on the context of {@link ConfigActor} only.
 */
final class CommandDesk {
    /** Each time another node was faster one of its commands was stored: so many in a row are a flood. */
    private static final int ATTEMPTS_MAX = 100;

    private final DecisionContexts contexts;
    private final AuditTrail audit;
    private final SnapshotCompiler compiler;
    private final CommitQueue queue;
    private final Consumer<String> serve;

    /**
     * A desk.
     *
     * @param serve called with the name of the command when a new epoch is on disk
     */
    CommandDesk(
            DecisionContexts contexts,
            AuditTrail audit,
            SnapshotCompiler compiler,
            CommitQueue queue,
            Consumer<String> serve) {
        this.contexts = contexts;
        this.audit = audit;
        this.compiler = compiler;
        this.queue = queue;
        this.serve = serve;
    }

    /** Decides and hands on. */
    void take(Principal principal, ConfigCommand command, Promise<CommandOutcome> outcome) {
        take(new Given(principal, command, outcome, 0));
    }

    /** A command on its way. */
    private record Given(Principal principal, ConfigCommand command, Promise<CommandOutcome> outcome, int attempts) {
        Given again() {
            return new Given(principal, command, outcome, attempts + 1);
        }
    }

    private void take(Given given) {
        Principal principal = given.principal();
        ConfigCommand command = given.command();
        Promise<CommandOutcome> outcome = given.outcome();
        if (given.attempts() == ATTEMPTS_MAX) {
            outcome.fail(new StoreConflictException());
            return;
        }
        if (queue.full()) {
            outcome.fail(new StoreException("too many changes wait for the disk; try again"));
            return;
        }
        try {
            List<UserError> denied = AccessDecider.decide(principal, command);
            if (!denied.isEmpty()) {
                deny(given, denied);
                return;
            }
            ConfigDecider.decide(queue.head(), command, contexts.context(principal.role()))
                    .fold(
                            accepted -> accept(given, accepted),
                            refused -> outcome.tryComplete(refusal(refused.errors())));
        } catch (RuntimeException bug) {
            outcome.tryFail(bug);
        }
    }

    private CommandOutcome refusal(List<UserError> errors) {
        return new CommandOutcome(errors, queue.stored(), null, null, List.of());
    }

    private void deny(Given given, List<UserError> denied) {
        Principal principal = given.principal();
        ConfigCommand command = given.command();
        String tenant = CommandScope.of(command).tenant();
        boolean exists = queue.head().tenants().keySet().stream()
                .anyMatch(id -> id.value().equals(tenant));
        StoredWrite write = new StoredWrite(
                queue.head().epoch(),
                List.of(),
                List.of(audit.denied(principal, command, denied, exists, contexts.now())));
        queue.add(new CommitQueue.Entry(
                queue.head(),
                queue.headSnapshot(),
                write,
                () -> {},
                finish(given.outcome(), () -> refusal(denied)),
                () -> take(given.again())));
    }

    private boolean accept(Given given, Accepted accepted) {
        Principal principal = given.principal();
        ConfigCommand command = given.command();
        Promise<CommandOutcome> outcome = given.outcome();
        boolean dryRun = command instanceof ApplyDocument document && document.dryRun();
        if (dryRun) {
            outcome.complete(outcome(accepted, queue.stored()));
            return true;
        }
        boolean changes = accepted.changesSomething();
        Configuration after = accepted.configuration();
        // Compiled before it is stored: what can not serve must not survive either.
        Snapshot snapshot = changes ? compiler.compile(after) : queue.headSnapshot();
        StoredWrite write = new StoredWrite(
                after.epoch(),
                accepted.changes().stream()
                        .filter(each -> each.change() != ObjectChange.Change.UNCHANGED)
                        .toList(),
                changes ? audit.accepted(principal, command, accepted, contexts.now()) : List.of());
        String name = CommandScope.of(command).action();
        queue.add(new CommitQueue.Entry(
                after,
                snapshot,
                write,
                changes ? () -> serve.accept(name) : () -> {},
                finish(outcome, () -> outcome(accepted, after)),
                () -> take(given.again())));
        return true;
    }

    private static CommandOutcome outcome(Accepted accepted, Configuration configuration) {
        return new CommandOutcome(
                List.of(),
                configuration,
                accepted.objectId(),
                accepted.secret(),
                accepted.changes().stream().map(ObjectChange::shown).toList());
    }

    private static Consumer<Throwable> finish(Promise<CommandOutcome> outcome, Supplier<CommandOutcome> success) {
        return failure -> {
            if (failure == null) {
                outcome.complete(success.get());
            } else {
                outcome.fail(failure);
            }
        };
    }
}
