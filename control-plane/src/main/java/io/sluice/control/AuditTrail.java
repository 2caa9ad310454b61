package io.sluice.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.api.AdjustSpend;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.Principal;
import io.sluice.control.api.UnfreezeCap;
import io.sluice.control.api.VerifyQuery;
import io.sluice.control.budget.CapWatch.BandChange;
import io.sluice.control.config.CommandScope;
import io.sluice.control.config.ConfigDecision.Accepted;
import io.sluice.control.config.ObjectChange;
import io.sluice.control.config.ObjectKind;
import io.sluice.control.secret.SecretBox;
import io.sluice.control.shift.ShiftChange;
import io.sluice.control.store.AuditLine;
import io.sluice.control.webhook.Alert;
import io.sluice.control.webhook.GivenUp;
import io.sluice.tenants.Ids;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.shift.ShiftState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes commands down for the audit log, without secrets: a credential is told by its kind and fingerprint, a base URL
 * without its query, a new key by its id.
 */
final class AuditTrail {
    /** Members whose text is replaced wherever they stand, also inside plugin settings. */
    private static final Set<String> SECRET = Set.of("credential", "password", "secret", "token", "apikey", "api_key");

    /** A command longer than this is told without its body. */
    private static final int DETAIL_CHARS_MAX = 65_536;

    private final SecretBox box;

    AuditTrail(SecretBox box) {
        this.box = box;
    }

    /** One line; for a document one more for each cap and price in it, so that those who read about money alone see them. */
    List<AuditLine> accepted(Principal principal, ConfigCommand command, Accepted accepted, Instant now) {
        List<AuditLine> lines = new ArrayList<>();
        lines.add(whole(principal, command, accepted, now));
        if (command instanceof ConfigCommand.ApplyDocument) {
            for (ObjectChange change : accepted.changes()) {
                String action = change.kind() == ObjectKind.SPEND_CAP
                        ? "setSpendCap"
                        : change.kind() == ObjectKind.PRICE ? "putPrice" : null;
                if (action != null && change.change() != ObjectChange.Change.UNCHANGED) {
                    ObjectNode detail = StrictJson.MAPPER.createObjectNode();
                    detail.put("by", "applyConfig");
                    detail.set("after", StrictJson.MAPPER.valueToTree(change.value()));
                    String subject = change.kind().word() + "/" + change.id();
                    lines.add(new AuditLine(now, change.owner(), actor(principal), action, subject, detail));
                }
            }
        }
        return List.copyOf(lines);
    }

    private AuditLine whole(Principal principal, ConfigCommand command, Accepted accepted, Instant now) {
        ObjectNode detail = detail(command);
        detail.put("epoch", accepted.configuration().epoch());
        if (accepted.objectId() != null) {
            detail.put("objectId", accepted.objectId());
        }
        var changes = detail.putArray("changes");
        for (ObjectChange change : accepted.changes()) {
            changes.add(change.kind().word() + "/" + change.id() + " "
                    + change.shown().change());
        }
        CommandScope scope = CommandScope.of(command);
        return line(principal, scope, scope.subject(), detail, tenant(scope), now);
    }

    /** An attempt that was refused for lack of rights stands in the log of the tenant it was aimed at. */
    AuditLine denied(
            Principal principal, ConfigCommand command, List<UserError> errors, boolean tenantExists, Instant now) {
        CommandScope scope = CommandScope.of(command);
        ObjectNode detail = StrictJson.MAPPER.createObjectNode();
        detail.put("denied", errors.get(0).code().name());
        detail.put("tenantId", shortened(scope.tenant()));
        return line(principal, scope, shortened(scope.subject()), detail, tenantExists ? tenant(scope) : null, now);
    }

    /** Models were called to verify a ladder. The prompt may hold anything, so only its length is told. */
    AuditLine verified(Principal principal, VerifyQuery query, Instant now) {
        ObjectNode detail = StrictJson.MAPPER.createObjectNode();
        detail.put("promptChars", query.prompt() == null ? 0 : query.prompt().length());
        return new AuditLine(
                now,
                new TenantId(query.tenantId()),
                actor(principal),
                "verifyLadder",
                "scenario/" + query.scenario(),
                detail);
    }

    /** A day's cost was corrected. */
    AuditLine adjusted(Principal principal, AdjustSpend command, Instant now) {
        ObjectNode detail = StrictJson.MAPPER.createObjectNode();
        detail.put("day", command.day());
        detail.put("amount", command.amount());
        detail.put("reason", command.reason());
        return new AuditLine(
                now,
                new TenantId(command.tenantId()),
                actor(principal),
                "adjustSpend",
                "spend/" + command.day(),
                detail);
    }

    /** A cap does not wait any more for nodes that are lost. */
    AuditLine unfrozen(Principal principal, UnfreezeCap command, AccountKey account, Instant now) {
        ObjectNode detail = StrictJson.MAPPER.createObjectNode();
        detail.put("period", account.period().key());
        detail.put("reason", command.reason());
        return new AuditLine(
                now, account.tenant(), actor(principal), "unfreezeSpendCap", "spendCap/" + account.capId(), detail);
    }

    /** Another band of a cap, with the figures it follows from. */
    AuditLine banded(BandChange change) {
        ObjectNode detail = StrictJson.MAPPER.createObjectNode();
        detail.put("period", change.account().period().key());
        detail.put("from", change.from().name());
        detail.put("to", change.decision().state().band().name());
        detail.put("explanation", change.decision().explanation());
        return new AuditLine(
                change.decision().state().since(),
                change.account().tenant(),
                "system",
                "budgetBand",
                "spendCap/" + change.account().capId(),
                detail);
    }

    /** A scenario's traffic takes another way, or another step of one. */
    AuditLine shifted(ShiftChange change) {
        ShiftState after = change.after();
        ObjectNode detail = StrictJson.MAPPER.createObjectNode();
        detail.put("from", change.before().phase().name());
        detail.put("to", after.phase().name());
        detail.put("share", after.share());
        if (after.substitute() != null) {
            detail.put("substitute", after.substitute());
        }
        var troubles = detail.putArray("troubles");
        after.troubles().forEach(trouble -> troubles.add(trouble.name()));
        detail.put("reason", after.reason());
        detail.put("version", after.version());
        return new AuditLine(
                Instant.ofEpochMilli(after.sinceMs()),
                change.scenario().tenant(),
                "system",
                "trafficShift",
                "scenario/" + change.scenario().scenario(),
                detail);
    }

    /** A webhook did not confirm an event in time. */
    AuditLine gaveUp(GivenUp given) {
        ObjectNode detail = StrictJson.MAPPER.createObjectNode();
        detail.put("event", given.alert().key().event());
        detail.put("about", given.alert().subject());
        detail.put("what", given.alert().what());
        detail.put("attempts", given.attempts());
        detail.put("why", shortened(given.why()));
        return new AuditLine(
                given.at(),
                given.alert().key().tenant(),
                "system",
                "webhookGivenUp",
                "webhook/" + given.alert().key().webhook(),
                detail);
    }

    /** A prepaid account is about to run out. */
    AuditLine balanceLow(Alert alert) {
        try {
            return new AuditLine(
                    alert.at(),
                    alert.key().tenant(),
                    "system",
                    "balanceLow",
                    "provider/" + ScopedId.ofKey(alert.subject()).id(),
                    StrictJson.MAPPER.readTree(alert.body()));
        } catch (JsonProcessingException notWrittenByUs) {
            throw new IllegalStateException(notWrittenByUs);
        }
    }

    private static String actor(Principal principal) {
        return principal.name() + " (" + principal.role()
                + (principal.tenantId() == null ? "" : " of " + principal.tenantId()) + ")";
    }

    private static AuditLine line(
            Principal principal, CommandScope scope, String subject, ObjectNode detail, TenantId tenant, Instant now) {
        return new AuditLine(now, tenant, actor(principal), scope.action(), subject, detail);
    }

    private static TenantId tenant(CommandScope scope) {
        return Ids.valid(scope.tenant()) ? new TenantId(scope.tenant()) : null;
    }

    private static String shortened(String text) {
        return text == null || text.length() <= 200 ? text : text.substring(0, 200);
    }

    private ObjectNode detail(ConfigCommand command) {
        ObjectNode detail = StrictJson.MAPPER.createObjectNode();
        JsonNode input = StrictJson.MAPPER.valueToTree(command);
        redact(input);
        if (input.toString().length() <= DETAIL_CHARS_MAX) {
            detail.set("input", input);
        } else {
            detail.put("inputFingerprint", box.fingerprint(input.toString()));
        }
        return detail;
    }

    private void redact(JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                String name = member.getKey().toLowerCase(java.util.Locale.ROOT);
                JsonNode value = member.getValue();
                if (value.isTextual() && SECRET.contains(name)) {
                    object.put(member.getKey(), hidden(value.textValue()));
                } else if (value.isTextual()
                        && name.equals("baseurl")
                        && value.textValue().indexOf('?') >= 0) {
                    object.put(member.getKey(), value.textValue().replaceFirst("\\?.*", "?***"));
                } else if (value.isTextual() && name.equals("url")) {
                    object.put(member.getKey(), origin(value.textValue()));
                } else {
                    redact(value);
                }
            }
        } else {
            node.forEach(this::redact);
        }
    }

    /** Whoever knows the path of a webhook may be able to post there. */
    private static String origin(String url) {
        return url.replaceFirst("^([A-Za-z]+://[^/?#@]*).*", "$1/***");
    }

    private String hidden(String text) {
        boolean reference = text.startsWith("env:") || text.startsWith("file:");
        return reference ? text : "fingerprint:" + box.fingerprint(text);
    }
}
