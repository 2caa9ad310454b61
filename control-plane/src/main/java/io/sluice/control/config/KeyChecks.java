package io.sluice.control.config;

import io.sluice.control.api.ConfigCommand.CreateAccessToken;
import io.sluice.control.api.ConfigCommand.CreateApiKey;
import io.sluice.control.api.ConfigCommand.RevokeApiKey;
import io.sluice.control.config.DecisionContext.Minted;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.config.AccessTokenConfig;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.key.KeyFormat;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** API keys and access tokens. */
final class KeyChecks {
    /** Bounds memory where a script runs wild; revoked keys count, since their ids must stay refused. */
    static final int KEYS_MAX = 10_000;

    /** Longer lists are better written as no list. */
    private static final int GRANTS_MAX = 1_000;

    private KeyChecks() {}

    /** The whole key where it was made, else null. */
    static Minted create(Draft draft, CreateApiKey command, DecisionContext context, Problems problems) {
        int mistakes = problems.count();
        if (problems.present(command.appId(), "appId") && !draft.tree().apps().containsKey(command.appId())) {
            problems.add(UserErrorCode.NOT_FOUND, "the tenant has no such app; create it first", "appId");
        }
        grants(command.scenarios(), draft::hasScenario, "the tenant has no such scenario", "scenarios", problems);
        grants(
                command.models(),
                name -> name.equals("auto")
                        || draft.visible(name, Catalog::pools).isPresent(),
                "there is no such pool; name a pool, or auto",
                "models",
                problems);
        defaultScenario(draft, command, problems);
        Instant expiresAt = expiry(command.expiresAt(), context.now(), problems);
        LimitsConfig limits = LimitChecks.read(
                command.requestsPerMinute(), command.tokensPerMinute(), command.maxConcurrency(), problems);
        if (draft.tree().keys().size() >= KEYS_MAX) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "the tenant has " + KEYS_MAX + " keys, the most", "tenantId");
        }
        if (problems.count() > mistakes) {
            return null;
        }
        Minted minted = context.mint().mint(KeyFormat.API_KEY);
        draft.put(
                new ApiKeyConfig(
                        minted.id(),
                        command.appId(),
                        minted.secretHash(),
                        KeyFormat.API_KEY.shown(minted.id()),
                        command.scenarios(),
                        command.defaultScenario(),
                        command.models(),
                        context.now(),
                        expiresAt,
                        null,
                        null,
                        limits),
                Change.CREATED);
        return minted;
    }

    private static void defaultScenario(Draft draft, CreateApiKey command, Problems problems) {
        String name = command.defaultScenario();
        if (name == null) {
            return;
        }
        if (!draft.hasScenario(name)) {
            problems.add(UserErrorCode.NOT_FOUND, "the tenant has no such scenario", "defaultScenario");
        } else if (command.scenarios() != null
                && !command.scenarios().isEmpty()
                && !command.scenarios().contains(name)) {
            problems.add(UserErrorCode.INVALID, "must be one of the key's scenarios", "defaultScenario");
        }
    }

    private static void grants(
            List<String> names, Predicate<String> exists, String missing, String member, Problems problems) {
        if (names == null) {
            return;
        }
        if (names.isEmpty() || names.size() > GRANTS_MAX) {
            problems.add(
                    UserErrorCode.INVALID,
                    "must have 1 to " + GRANTS_MAX + " names; leave it out to allow all",
                    member);
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (!problems.present(name, member, Integer.toString(i))) {
                continue;
            }
            if (!seen.add(name)) {
                problems.add(UserErrorCode.DUPLICATE, "stands twice in the list", member, Integer.toString(i));
            } else if (!exists.test(name)) {
                problems.add(UserErrorCode.NOT_FOUND, missing, member, Integer.toString(i));
            }
        }
    }

    /** The end; null where there is none, or a wrong one. */
    private static Instant expiry(String text, Instant now, Problems problems) {
        Instant expiresAt = problems.instant(text, "expiresAt").orElse(null);
        if (expiresAt != null && !expiresAt.isAfter(now)) {
            problems.add(UserErrorCode.INVALID, "lies in the past; leave it out for no end", "expiresAt");
        }
        return expiresAt;
    }

    static void revoke(Draft draft, RevokeApiKey command, DecisionContext context, Problems problems) {
        if (!problems.present(command.id(), "id")) {
            return;
        }
        ApiKeyConfig key = draft.tree().keys().get(command.id());
        if (key == null) {
            problems.add(UserErrorCode.NOT_FOUND, "the tenant has no such key", "id");
        } else if (key.revokedAt() != null) {
            draft.put(key, Change.UNCHANGED);
        } else {
            draft.put(key.revoked(context.now()), Change.UPDATED);
        }
    }

    /** The whole token where it was made, else null. */
    static Minted token(Draft draft, CreateAccessToken command, DecisionContext context, Problems problems) {
        int mistakes = problems.count();
        Role role = problems.oneOf(Role.class, command.role(), "role");
        if (role == Role.PLATFORM_ADMIN && draft.owner() != null) {
            problems.add(UserErrorCode.INVALID, "must be left out for a platform administrator", "tenantId");
        } else if (role != null && role != Role.PLATFORM_ADMIN && draft.owner() == null) {
            problems.add(UserErrorCode.REQUIRED, "is required for every role but PLATFORM_ADMIN", "tenantId");
        }
        if (role == Role.FINANCE && context.role() == Role.TENANT_ADMIN) {
            problems.add(
                    UserErrorCode.FORBIDDEN,
                    "a tenant administrator may not make a token that sets caps; a platform administrator may",
                    "role");
        }
        if (problems.present(command.name(), "name")) {
            problems.name(command.name(), "name");
        }
        Instant expiresAt = expiry(command.expiresAt(), context.now(), problems);
        if (draft.before().accessTokens().size() >= KEYS_MAX) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "there are " + KEYS_MAX + " access tokens, the most", "name");
        }
        if (problems.count() > mistakes) {
            return null;
        }
        Minted minted = context.mint().mint(KeyFormat.ACCESS_TOKEN);
        draft.put(new AccessTokenConfig(
                minted.id(), role, draft.owner(), command.name(), minted.secretHash(), expiresAt));
        return minted;
    }
}
