package io.sluice.control.config;

import io.sluice.control.api.ConfigCommand.PutWebhook;
import io.sluice.control.api.ConfigCommand.RemoveWebhook;
import io.sluice.control.config.DecisionContext.Minted;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.config.WebhookConfig;
import io.sluice.tenants.key.KeyFormat;
import java.util.List;

/** Webhooks. */
public final class WebhookChecks {
    /** Each is called for each event of each cap; people and two or three programs want to know. */
    static final int WEBHOOKS_MAX = 20;

    /** Finer steps are a stream of figures, which is what the subscription is for. */
    static final int THRESHOLDS_MAX = 20;

    /** Shorter ones can be found by trying; 16 characters of base 62 have 95 bits. */
    static final int SECRET_CHARS_MIN = 16;

    static final int SECRET_CHARS_MAX = 256;

    private WebhookChecks() {}

    /** What the secret of a webhook is sealed for: never a provider's id, which can not begin so. */
    public static String place(String webhook) {
        return "#webhook/" + webhook;
    }

    /** The secret where it was made, else null. */
    static Minted put(Draft draft, PutWebhook command, DecisionContext context, Problems problems) {
        int mistakes = problems.count();
        boolean named = problems.id(command.id(), "id");
        WebhookConfig present = named ? draft.tree().webhooks().get(command.id()) : null;
        boolean there = present != null && !present.removed();
        int version = named
                ? problems.nextVersion(
                        command.version(), present == null ? 0 : present.version(), present != null && !there)
                : 0;
        url(command.url(), context, problems);
        List<Double> thresholds = thresholds(command.thresholds(), problems);
        secret(command.secret(), problems);
        problems.notNull(command.enabled(), "enabled");
        long others = draft.tree().webhooks().values().stream()
                .filter(each -> !each.removed())
                .count();
        if (!there && others >= WEBHOOKS_MAX) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "the tenant has " + WEBHOOKS_MAX + " webhooks, the most", "id");
        }
        if (problems.count() > mistakes) {
            return null;
        }
        boolean made = command.secret() == null && !there;
        Minted minted = made ? context.mint().mint(KeyFormat.WEBHOOK_SECRET) : null;
        CredentialRef.Sealed sealed = sealed(draft.owner(), command, there ? present.secret() : null, minted, context);
        WebhookConfig same = new WebhookConfig(
                command.id(),
                present == null ? 0 : present.version(),
                command.url(),
                sealed,
                thresholds,
                command.enabled(),
                null);
        if (same.equals(present)) {
            draft.put(present, Change.UNCHANGED);
            return null;
        }
        draft.put(
                new WebhookConfig(same.id(), version, same.url(), sealed, thresholds, same.enabled(), null),
                present == null ? Change.CREATED : Change.UPDATED);
        return minted == null ? null : new Minted(command.id(), minted.text(), minted.secretHash());
    }

    private static CredentialRef.Sealed sealed(
            TenantId owner, PutWebhook command, CredentialRef.Sealed before, Minted minted, DecisionContext context) {
        String place = place(command.id());
        if (minted != null) {
            return context.sealer().seal(owner, place, minted.text());
        }
        boolean same = command.secret() == null
                || (before != null && context.sealer().holds(owner, place, before, command.secret()));
        return same ? before : context.sealer().seal(owner, place, command.secret());
    }

    private static void url(String url, DecisionContext context, Problems problems) {
        if (problems.present(url, "url")) {
            context.upstreams().problem(url).ifPresent(message -> problems.add(UserErrorCode.INVALID, message, "url"));
        }
    }

    /** Ascending, each once. */
    private static List<Double> thresholds(List<Double> shares, Problems problems) {
        if (!problems.notNull(shares, "thresholds")) {
            return List.of();
        }
        if (shares.size() > THRESHOLDS_MAX) {
            problems.add(
                    UserErrorCode.INVALID,
                    "must have at most " + THRESHOLDS_MAX + " shares of the limit",
                    "thresholds");
        }
        for (int i = 0; i < shares.size(); i++) {
            boolean valid = shares.get(i) > 0 && shares.get(i) <= 1;
            if (!valid) {
                problems.add(
                        UserErrorCode.INVALID,
                        "must be a share of the limit above 0 and at most 1",
                        "thresholds",
                        Integer.toString(i));
            }
        }
        return shares.stream().distinct().sorted().toList();
    }

    private static void secret(String secret, Problems problems) {
        boolean valid = secret == null
                || (secret.length() >= SECRET_CHARS_MIN
                        && secret.length() <= SECRET_CHARS_MAX
                        && secret.chars().allMatch(character -> character > ' ' && character < 127));
        if (!valid) {
            problems.add(
                    UserErrorCode.INVALID,
                    "must be " + SECRET_CHARS_MIN + " to " + SECRET_CHARS_MAX
                            + " characters of printable ASCII without blanks; leave it out to have one made",
                    "secret");
        }
    }

    static void remove(Draft draft, RemoveWebhook command, DecisionContext context, Problems problems) {
        if (!problems.present(command.id(), "id")) {
            return;
        }
        WebhookConfig present = draft.tree().webhooks().get(command.id());
        if (present == null) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such webhook", "id");
            return;
        }
        if (present.removed()) { // two people may reach for the same one
            draft.put(present, Change.UNCHANGED);
            return;
        }
        if (command.version() != null) {
            problems.nextVersion(command.version(), present.version(), false);
        }
        if (problems.count() == 0) {
            draft.put(present.removed(context.now()), Change.UPDATED);
        }
    }
}
