package io.sluice.control;

import io.sluice.control.api.Action;
import io.sluice.control.api.Authorizer;
import io.sluice.control.api.LadderVerdict;
import io.sluice.control.api.Principal;
import io.sluice.control.api.UnavailableException;
import io.sluice.control.api.VerifyQuery;
import io.sluice.control.store.AuditLine;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.Ids;
import io.sluice.tenants.NodeRole;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.message.BusMessage.CheckLadder;
import io.sluice.tenants.message.BusMessage.LadderChecked;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Has ladders verified by the data plane: asks whether the caller may, writes it down, and only then lets calls be made. */
final class LadderDesk {
    /** Nobody waits longer for an answer of the administration API. */
    static final Duration LADDER_TIME_MAX = Duration.ofSeconds(60);

    /** The answer itself has to come back too. */
    private static final Duration REPLY_TIME_MAX = LADDER_TIME_MAX.plusSeconds(20);

    /** A prompt that proves a rung is short. */
    private static final int PROMPT_CHARS_MAX = 2_000;

    private static final String PROMPT = "Reply with the word: ok";

    private final Bus bus;
    private final Owners owners;
    private final BiFunction<Principal, VerifyQuery, AuditLine> audit;
    private final Function<AuditLine, Future<Void>> note;

    /**
     * @param owners know which nodes take requests
     * @param note stores a line of the audit log
     */
    LadderDesk(
            Bus bus,
            Owners owners,
            BiFunction<Principal, VerifyQuery, AuditLine> audit,
            Function<AuditLine, Future<Void>> note) {
        this.bus = bus;
        this.owners = owners;
        this.audit = audit;
        this.note = note;
    }

    Future<LadderVerdict> verify(Principal principal, VerifyQuery query, Configuration configuration) {
        UserError error = error(principal, query, configuration);
        if (error != null) {
            return Future.succeededFuture(new LadderVerdict(List.of(), List.of(error)));
        }
        CheckLadder check = new CheckLadder(
                new TenantId(query.tenantId()),
                query.scenario(),
                query.prompt() == null ? PROMPT : query.prompt(),
                LADDER_TIME_MAX.toMillis());
        Optional<String> caller = caller(query);
        if (caller.isEmpty()) {
            return Future.failedFuture(
                    new UnavailableException("no node that could call the models is there now", null));
        }
        return note.apply(audit.apply(principal, query))
                .compose(noted ->
                        bus.request(Address.ladderChecks(caller.get()), check, LadderChecked.class, REPLY_TIME_MAX))
                .map(LadderDesk::verdict);
    }

    /** This node where it takes requests, else one that does: the same one for the same scenario, since it checks one ladder at a time. */
    private Optional<String> caller(VerifyQuery query) {
        List<String> nodes = owners.nodes(NodeRole.DATA).stream().sorted().toList();
        if (nodes.contains(owners.node())) {
            return Optional.of(owners.node());
        }
        if (nodes.isEmpty()) {
            return Optional.empty();
        }
        int spread = (query.tenantId() + "|" + query.scenario()).hashCode();
        return Optional.of(nodes.get(Math.floorMod(spread, nodes.size())));
    }

    private static LadderVerdict verdict(LadderChecked checked) {
        return checked.problem() == null
                ? new LadderVerdict(checked.rungs(), List.of())
                : new LadderVerdict(
                        List.of(),
                        List.of(new UserError(List.of("scenario"), UserErrorCode.LIMIT_EXCEEDED, checked.problem())));
    }

    private static UserError error(Principal principal, VerifyQuery query, Configuration configuration) {
        TenantId tenant = Ids.valid(query.tenantId()) ? new TenantId(query.tenantId()) : null;
        TenantTree tree = tenant == null ? null : configuration.tenants().get(tenant);
        if (tree == null || !Authorizer.may(principal, Action.READ_TENANT, tenant)) {
            return new UserError(List.of("tenantId"), UserErrorCode.NOT_FOUND, "there is no such tenant");
        }
        if (!Authorizer.may(principal, Action.WRITE_ROUTING, tenant)) {
            return new UserError(
                    List.of("tenantId"),
                    UserErrorCode.FORBIDDEN,
                    "the role " + principal.role() + " may not have models called");
        }
        if (!tree.scenarios().containsKey(query.scenario())) {
            return new UserError(
                    List.of("scenario"),
                    UserErrorCode.NOT_FOUND,
                    "the tenant has no such scenario; it has "
                            + String.join(
                                    ", ",
                                    tree.scenarios().keySet().stream().sorted().toList()));
        }
        boolean right = query.prompt() == null
                || (!query.prompt().isBlank() && query.prompt().length() <= PROMPT_CHARS_MAX);
        return right
                ? null
                : new UserError(
                        List.of("prompt"),
                        UserErrorCode.INVALID,
                        "must be 1 to " + PROMPT_CHARS_MAX
                                + " characters, not only blanks; leave it out for a tiny one");
    }
}
