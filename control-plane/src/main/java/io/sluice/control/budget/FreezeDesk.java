package io.sluice.control.budget;

import io.sluice.control.api.Action;
import io.sluice.control.api.Authorizer;
import io.sluice.control.api.Principal;
import io.sluice.control.api.UnfreezeCap;
import io.sluice.control.api.UnfreezeOutcome;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.Ids;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityAnswer.Outcome;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.message.BusMessage.AskAuthority;
import io.sluice.tenants.message.BusMessage.AuthorityAnswered;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** Lets caps grant again that wait for nodes which are lost for good. Thread-safe. */
public final class FreezeDesk {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    /** No epoch of an authority: it answers with its own. */
    private static final long ASK_EPOCH = 0;

    private static final int REASON_CHARS_MAX = 500;

    private final Bus bus;
    private final Supplier<Configuration> configuration;
    private final AuditNote audit;
    private final InstantSource clock;

    /** Writes a line to the audit log before something counts. */
    @FunctionalInterface
    public interface AuditNote {
        /** Completes when the line is stored. */
        Future<Void> unfrozen(Principal principal, UnfreezeCap command, AccountKey account, Instant now);
    }

    public FreezeDesk(Bus bus, Supplier<Configuration> configuration, AuditNote audit, InstantSource clock) {
        this.bus = bus;
        this.configuration = configuration;
        this.audit = audit;
        this.clock = clock;
    }

    /** See {@link io.sluice.control.api.ControlPlaneApi#unfreeze}. */
    public Future<UnfreezeOutcome> unfreeze(Principal principal, UnfreezeCap command) {
        TenantTree tree = Ids.valid(command.tenantId())
                ? configuration.get().tenants().get(new TenantId(command.tenantId()))
                : null;
        if (tree == null
                || !Authorizer.may(principal, Action.READ_TENANT, tree.tenant().id())) {
            return refused("tenantId", UserErrorCode.NOT_FOUND, "there is no such tenant");
        }
        if (!Authorizer.may(principal, Action.UNFREEZE_CAPS, tree.tenant().id())) {
            return refused("tenantId", UserErrorCode.FORBIDDEN, "this is for the role PLATFORM_ADMIN");
        }
        SpendCapConfig cap = tree.spendCaps().get(command.capId());
        if (cap == null || cap.removed()) {
            return refused("capId", UserErrorCode.NOT_FOUND, "the tenant has no such spend cap");
        }
        String reason = command.reason() == null ? "" : command.reason().strip();
        if (reason.isEmpty() || reason.length() > REASON_CHARS_MAX) {
            return refused(
                    "reason",
                    UserErrorCode.INVALID,
                    "must say why the nodes do not come back, in at most " + REASON_CHARS_MAX + " characters");
        }
        Instant now = clock.instant();
        AccountKey account = new AccountKey(
                tree.tenant().id(), cap.id(), tree.tenant().calendar().periodAt(cap.period(), now));
        return ask(account, ASK_EPOCH)
                .compose(answer ->
                        audit.unfrozen(principal, command, account, now).compose(noted -> ask(account, answer.epoch())))
                .compose(answer -> answer.outcome() == Outcome.DONE
                        ? Future.succeededFuture(
                                new UnfreezeOutcome(account.period().key(), List.of()))
                        : refused("capId", UserErrorCode.INVALID, "the ledger said " + answer.outcome()));
    }

    private Future<AuthorityAnswer> ask(AccountKey account, long epoch) {
        return bus.request(
                        Address.AUTHORITY,
                        new AskAuthority(new AuthorityCommand.Unfreeze(account, epoch)),
                        AuthorityAnswered.class,
                        ANSWER_MAX)
                .map(AuthorityAnswered::answer);
    }

    private static Future<UnfreezeOutcome> refused(String member, UserErrorCode code, String message) {
        return Future.succeededFuture(
                new UnfreezeOutcome(null, List.of(new UserError(List.of("input", member), code, message))));
    }
}
