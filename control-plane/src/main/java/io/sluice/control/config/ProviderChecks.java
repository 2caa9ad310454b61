package io.sluice.control.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.ConfigCommand.PutModel;
import io.sluice.control.api.ConfigCommand.PutProvider;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.plugins.api.ProviderFactory;
import io.sluice.plugins.api.ProviderSettings;
import io.sluice.plugins.api.SettingProblem;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.UserErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Providers and models. */
final class ProviderChecks {
    /** Objects of one kind of one owner: bounds memory where a script runs wild. */
    static final int OBJECTS_MAX = 10_000;

    /** No machine drives more calls at once. */
    static final int CONCURRENCY_MAX = 100_000;

    /** A thousand times the largest context window of the price table. */
    static final int TOKENS_MAX = 1_000_000_000;

    /** Longer than every credential seen, service-account files included. */
    static final int CREDENTIAL_CHARS_MAX = 16_384;

    /** Settings longer than this are data, not settings. */
    static final int SETTINGS_CHARS_MAX = 65_536;

    private static final Pattern ENV_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,255}");

    private ProviderChecks() {}

    static void put(Draft draft, PutProvider command, DecisionContext context, Problems problems) {
        int mistakes = problems.count();
        boolean named = problems.id(command.id(), "id");
        ProviderConfig now = named ? draft.own().providers().get(command.id()) : null;
        int version =
                named ? problems.nextVersion(command.version(), now == null ? 0 : now.version(), draft.document()) : 0;
        String baseUrl = command.baseUrl() == null ? "" : command.baseUrl().strip();
        Optional<String> urlProblem =
                baseUrl.isEmpty() ? Optional.empty() : context.upstreams().problem(baseUrl);
        urlProblem.ifPresent(message -> problems.add(UserErrorCode.INVALID, message, "baseUrl"));
        Map<String, JsonNode> settings = settings(command.settings(), problems);
        plugin(command.plugin(), new ProviderSettings(baseUrl, settings), urlProblem.isPresent(), context, problems);
        if (command.quotaGroup() != null) {
            problems.id(command.quotaGroup(), "quotaGroup");
        }
        if (command.region() != null) {
            problems.id(command.region(), "region");
        }
        LimitChecks.read(command.requestsPerMinute(), command.tokensPerMinute(), command.maxConcurrency(), problems);
        if (now == null) {
            room(draft.own().providers(), problems);
        }
        CredentialRef credential = credential(draft, command, now, baseUrl, context, problems);
        if (problems.count() > mistakes) {
            return;
        }
        ScopedId id = new ScopedId(draft.owner(), command.id());
        ProviderConfig made = provider(id, version, command, baseUrl, credential, settings);
        if (now != null && now.equals(provider(id, now.version(), command, baseUrl, credential, settings))) {
            draft.put(now, Change.UNCHANGED);
        } else {
            draft.put(made, now == null ? Change.CREATED : Change.UPDATED);
        }
    }

    private static ProviderConfig provider(
            ScopedId id,
            int version,
            PutProvider command,
            String baseUrl,
            CredentialRef credential,
            Map<String, JsonNode> settings) {
        return new ProviderConfig(
                id,
                version,
                command.plugin(),
                baseUrl,
                credential,
                command.quotaGroup(),
                command.region(),
                command.requestsPerMinute(),
                command.tokensPerMinute(),
                command.maxConcurrency(),
                settings);
    }

    static void room(Map<String, ?> objects, Problems problems) {
        if (objects.size() >= OBJECTS_MAX) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "there are " + OBJECTS_MAX + " of them, the most", "id");
        }
    }

    /** The members of a settings object; empty where it is missing or wrong. */
    static Map<String, JsonNode> settings(JsonNode settings, Problems problems) {
        Map<String, JsonNode> members = new HashMap<>();
        if (settings == null || settings.isNull()) {
            return members;
        }
        if (!settings.isObject()) {
            problems.add(UserErrorCode.INVALID, "must be an object", "settings");
        } else if (settings.toString().length() > SETTINGS_CHARS_MAX) {
            problems.add(
                    UserErrorCode.INVALID, "must be at most " + SETTINGS_CHARS_MAX + " characters of JSON", "settings");
        } else {
            settings.fields().forEachRemaining(member -> members.put(member.getKey(), member.getValue()));
        }
        return members;
    }

    private static void plugin(
            String plugin, ProviderSettings settings, boolean urlIsWrong, DecisionContext context, Problems problems) {
        if (!problems.present(plugin, "plugin")) {
            return;
        }
        ProviderFactory factory = context.plugins().get(plugin);
        if (factory == null) {
            problems.add(
                    UserErrorCode.NOT_FOUND,
                    "there is no such plugin; known are "
                            + String.join(", ", new TreeSet<>(context.plugins().keySet())),
                    "plugin");
            return;
        }
        List<SettingProblem> found;
        try {
            found = factory.check(settings);
        } catch (RuntimeException | LinkageError bugOfThePlugin) {
            problems.add(UserErrorCode.INVALID, "the plugin failed while it checked these settings", "plugin");
            return;
        }
        for (SettingProblem problem : found) {
            boolean told = urlIsWrong && problem.path().equals(List.of("baseUrl"));
            if (!told) {
                problems.add(
                        UserErrorCode.INVALID, problem.message(), problem.path().toArray(String[]::new));
            }
        }
    }

    /**
     * Where the credential is. Left out, it stays; but not when the base URL changes, since whoever may write here must not
     * be able to have a credential sent elsewhere that he could not read.
     */
    private static CredentialRef credential(
            Draft draft,
            PutProvider command,
            ProviderConfig now,
            String baseUrl,
            DecisionContext context,
            Problems problems) {
        CredentialRef before = now == null ? null : now.credential();
        String text = command.credential();
        if (text == null) {
            boolean moved = before != null
                    && !(now.baseUrl().equals(baseUrl) && now.plugin().equals(command.plugin()));
            if (moved) {
                problems.add(
                        UserErrorCode.REQUIRED, "must be written again where plugin or base URL change", "credential");
            }
            return before;
        }
        String rest = text.substring(text.indexOf(':') + 1);
        CredentialRef reference = reference(text, rest);
        if (reference != null) {
            return permitted(reference, context, problems) ? reference : null;
        }
        boolean value = text.startsWith("value:")
                && !rest.isBlank()
                && rest.length() <= CREDENTIAL_CHARS_MAX
                && rest.chars().allMatch(character -> character > ' ' && character < 127);
        if (!value) {
            problems.add(
                    UserErrorCode.INVALID,
                    "must be env:NAME, file:PATH or value: followed by the credential, printable ASCII without blanks",
                    "credential");
            return null;
        }
        boolean same = before instanceof CredentialRef.Sealed sealed
                && context.sealer().holds(draft.owner(), command.id(), sealed, rest);
        boolean named = command.id() != null;
        return same ? before : named ? context.sealer().seal(draft.owner(), command.id(), rest) : null;
    }

    /** The variable or file that {@code text} names; null where it names none. */
    private static CredentialRef reference(String text, String rest) {
        if (text.startsWith("env:") && ENV_NAME.matcher(rest).matches()) {
            return new CredentialRef.Env(rest);
        }
        boolean file = text.startsWith("file:") && !rest.isBlank() && rest.length() <= 4_096 && rest.indexOf('\0') < 0;
        return file ? new CredentialRef.File(rest) : null;
    }

    /** What the server can read is the operator's: a tenant could send it to any address by a provider of its own. */
    private static boolean permitted(CredentialRef reference, DecisionContext context, Problems problems) {
        if (context.role() != Role.PLATFORM_ADMIN) {
            problems.add(
                    UserErrorCode.FORBIDDEN,
                    "only a platform administrator may name a variable or a file of the server; write value: followed by"
                            + " the credential",
                    "credential");
            return false;
        }
        Optional<String> problem = context.places().problem(reference);
        problem.ifPresent(message -> problems.add(UserErrorCode.INVALID, message, "credential"));
        return problem.isEmpty();
    }

    static void put(Draft draft, PutModel command, Problems problems) {
        int mistakes = problems.count();
        boolean named = problems.id(command.id(), "id");
        ModelConfig now = named ? draft.own().models().get(command.id()) : null;
        int version =
                named ? problems.nextVersion(command.version(), now == null ? 0 : now.version(), draft.document()) : 0;
        boolean window = problems.range(command.contextWindow(), 1, TOKENS_MAX, "contextWindow");
        boolean longest = problems.range(command.maxOutputTokens(), 1, TOKENS_MAX, "maxOutputTokens");
        if (window && longest && command.maxOutputTokens() > command.contextWindow()) {
            problems.add(UserErrorCode.INVALID, "must not be more than contextWindow", "maxOutputTokens");
        }
        if (now == null) {
            room(draft.own().models(), problems);
        }
        if (problems.count() > mistakes) {
            return;
        }
        ScopedId id = new ScopedId(draft.owner(), command.id());
        if (now != null && now.equals(model(id, now.version(), command))) {
            draft.put(now, Change.UNCHANGED);
        } else {
            draft.put(model(id, version, command), now == null ? Change.CREATED : Change.UPDATED);
        }
    }

    private static ModelConfig model(ScopedId id, int version, PutModel command) {
        return new ModelConfig(
                id,
                version,
                command.contextWindow(),
                command.maxOutputTokens(),
                Boolean.TRUE.equals(command.tools()),
                Boolean.TRUE.equals(command.vision()),
                Boolean.TRUE.equals(command.jsonSchema()));
    }
}
