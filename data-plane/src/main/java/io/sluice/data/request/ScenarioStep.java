package io.sluice.data.request;

import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.ScenarioDefaults;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.routing.CompiledPool;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledScenario;
import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the request is for: scenario, ladder, kind, lane and deadline, from headers and body (requirements C1, D1, B3, A5). */
public final class ScenarioStep {
    /** In place of a pool: the scenario's ladder decides. */
    static final String AUTO = "auto";

    /** So much of an unknown name is shown to its sender, printable characters only (bad-input row 53). */
    private static final int ECHO_CHARS_MAX = 64;

    /** As long as the field allows (reliability row 9). */
    private static final int IDEMPOTENCY_CHARS_MAX = 255;

    /** Longest session id. */
    private static final int SESSION_CHARS_MAX = 256;

    /** An opaque id, such as a hash; as long as a session's. */
    private static final int END_USER_CHARS_MAX = 256;

    /** A deadline of eleven days is enough. */
    private static final int DEADLINE_DIGITS_MAX = 9;

    /** The largest number of so many digits. */
    private static final int DEADLINE_MS_MAX = 999_999_999;

    /** The request with its meaning. */
    public Outcome<Identified> identify(Caller caller, ChatRequest chat) {
        return scenario(caller)
                .then(scenario -> ladder(caller, scenario, chat.facts().model())
                        .then(ladder -> kind(caller, scenario)
                                .then(kind -> lane(caller, scenario)
                                        .then(lane -> deadline(caller, scenario, lane)
                                                .then(deadlineMs -> session(caller)
                                                        .then(session -> endUser(caller, chat)
                                                                .then(endUser -> idempotencyKey(caller)
                                                                        .then(key -> Outcome.go(new Identified(
                                                                                caller,
                                                                                chat,
                                                                                scenario,
                                                                                ladder,
                                                                                kind,
                                                                                lane,
                                                                                deadlineMs,
                                                                                session.orElse(null),
                                                                                endUser.orElse(null),
                                                                                key.orElse(null),
                                                                                null,
                                                                                null,
                                                                                null,
                                                                                new PromptCount()))))))))));
    }

    private static Outcome<CompiledScenario> scenario(Caller caller) {
        return single(caller, "X-Business-Scenario").then(header -> {
            String name = header.orElse(caller.key().defaultScenario());
            if (name == null) {
                return Outcome.halt(Stop.of(
                        Refusal.SCENARIO_REQUIRED,
                        "send the header X-Business-Scenario with one of: " + known(caller),
                        "X-Business-Scenario"));
            }
            CompiledScenario scenario = caller.tenant().scenarios().get(name);
            if (scenario == null) {
                return Outcome.halt(Stop.of(
                        Refusal.UNKNOWN_SCENARIO,
                        "there is no scenario \"" + echo(name) + "\"; known are: " + known(caller),
                        "X-Business-Scenario"));
            }
            return caller.key().allowsScenario(name)
                    ? Outcome.go(scenario)
                    : Outcome.halt(Stop.of(
                            Refusal.SCENARIO_NOT_ALLOWED,
                            "this key may not use the scenario \"" + name + "\"; it may use: " + known(caller),
                            "X-Business-Scenario"));
        });
    }

    /** The scenarios that the caller may name, for its eyes. */
    private static String known(Caller caller) {
        String names = caller.tenant().scenarioNames().stream()
                .filter(caller.key()::allowsScenario)
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "none yet" : names;
    }

    /** The value of a header that means nothing when it is sent twice. */
    private static Outcome<Optional<String>> single(Caller caller, String name) {
        MultiMap headers = caller.arrival().http().headers();
        String value = headers.get(name);
        if (value == null) {
            return Outcome.go(Optional.empty());
        }
        return headers.getAll(name).size() == 1
                ? Outcome.go(Optional.of(value.strip()))
                : Outcome.halt(Stop.of(Refusal.INVALID_REQUEST, name + " must be sent once", name));
    }

    private static Outcome<List<CompiledRung>> ladder(Caller caller, CompiledScenario scenario, String model) {
        CompiledPool pool = caller.tenant().pools().get(model);
        if (!model.equals(AUTO) && pool == null) {
            return Outcome.halt(Stop.of(
                    Refusal.MODEL_NOT_FOUND,
                    "there is no model \"" + echo(model) + "\"; GET /v1/models lists what this key may use",
                    "model"));
        }
        if (!caller.key().allowsModel(model)) {
            return Outcome.halt(Stop.of(
                    Refusal.MODEL_NOT_ALLOWED,
                    "this key may not use the model \"" + model + "\"; GET /v1/models lists what it may use",
                    "model"));
        }
        return Outcome.go(pool == null ? scenario.ladder() : List.of(rungOf(scenario, pool)));
    }

    /** The scenario's own rung for the pool, with its times, where it has one. */
    private static CompiledRung rungOf(CompiledScenario scenario, CompiledPool pool) {
        return scenario.ladder().stream()
                .filter(rung -> rung instanceof CompiledRung.Pool named
                        && named.pool().id().equals(pool.id()))
                .findFirst()
                .orElseGet(() ->
                        new CompiledRung.Pool(pool.id().id(), pool, 0, ScenarioDefaults.MIN_REMAINING.toMillis()));
    }

    private static Outcome<RequestKind> kind(Caller caller, CompiledScenario scenario) {
        return single(caller, "X-Request-Kind").then(header -> switch (header.orElse("read")
                .toLowerCase(Locale.ROOT)) {
            case "read" -> Outcome.go(scenario.kind());
            case "write" -> Outcome.go(scenario.kind().strictest(RequestKind.WRITE));
            case "compliance" -> Outcome.go(scenario.kind().strictest(RequestKind.COMPLIANCE));
            default ->
                Outcome.halt(Stop.of(
                        Refusal.INVALID_REQUEST, "X-Request-Kind must be read, write or compliance", "X-Request-Kind"));
        });
    }

    /** A caller may give way, but not jump the queue that its scenario was put into. */
    private static Outcome<Lane> lane(Caller caller, CompiledScenario scenario) {
        Lane own = scenario.settings().lane();
        return single(caller, "X-Priority")
                .then(header -> header.isEmpty()
                        ? Outcome.go(own)
                        : Lane.of(header.get())
                                .map(asked -> Outcome.go(own.leastUrgent(asked)))
                                .orElseGet(() -> Outcome.halt(Stop.of(
                                        Refusal.INVALID_REQUEST,
                                        "X-Priority must be realtime or batch",
                                        "X-Priority"))));
    }

    private static Outcome<Long> deadline(Caller caller, CompiledScenario scenario, Lane lane) {
        Duration scenarios = lane == Lane.BATCH
                ? scenario.settings().batchDeadline()
                : scenario.settings().deadline();
        long own = scenarios.toMillis();
        return single(caller, "X-Deadline-Ms").then(header -> {
            long asked = header.map(ScenarioStep::wholeNumber).orElse(own);
            return asked > 0
                    ? Outcome.go(Math.min(own, asked))
                    : Outcome.halt(Stop.of(
                            Refusal.INVALID_REQUEST,
                            "X-Deadline-Ms must be a whole number of milliseconds from 1 to " + DEADLINE_MS_MAX,
                            "X-Deadline-Ms"));
        });
    }

    /** At most nine decimal digits; 0 where the text is anything else. */
    private static long wholeNumber(String text) {
        long number = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9' || i == DEADLINE_DIGITS_MAX) {
                return 0;
            }
            number = number * 10 + (c - '0');
        }
        return number;
    }

    private static Outcome<Optional<String>> session(Caller caller) {
        return single(caller, "X-Session-Id")
                .then(header -> header.orElse("").length() <= SESSION_CHARS_MAX
                        ? Outcome.go(header.filter(id -> !id.isEmpty()))
                        : Outcome.halt(Stop.of(
                                Refusal.INVALID_REQUEST,
                                "X-Session-Id must be at most " + SESSION_CHARS_MAX + " characters",
                                "X-Session-Id")));
    }

    /** Whom the app asks for: the header before the member {@code user}. */
    private static Outcome<Optional<String>> endUser(Caller caller, ChatRequest chat) {
        return single(caller, "X-End-User").then(header -> {
            Optional<String> named = header.filter(id -> !id.isEmpty());
            Optional<String> user =
                    named.or(() -> Optional.ofNullable(chat.facts().endUser())).filter(id -> !id.isBlank());
            return user.isEmpty() || properUser(user.get())
                    ? Outcome.go(user)
                    : Outcome.halt(Stop.of(
                            Refusal.INVALID_REQUEST,
                            "the end user must be named with at most " + END_USER_CHARS_MAX
                                    + " characters, none of them a control character",
                            named.isPresent() ? "X-End-User" : "user"));
        });
    }

    private static boolean properUser(String id) {
        for (int i = 0; i < id.length(); i++) {
            if (Character.isISOControl(id.charAt(i))) {
                return false;
            }
        }
        return id.length() <= END_USER_CHARS_MAX;
    }

    private static Outcome<Optional<String>> idempotencyKey(Caller caller) {
        return single(caller, "Idempotency-Key")
                .then(header -> header.isEmpty() || proper(header.get())
                        ? Outcome.go(header)
                        : Outcome.halt(Stop.of(
                                Refusal.INVALID_REQUEST,
                                "Idempotency-Key must be 1 to " + IDEMPOTENCY_CHARS_MAX
                                        + " visible ASCII characters, such as a UUID",
                                "Idempotency-Key")));
    }

    /** Whether a key has neither blanks nor characters that two systems could spell differently. */
    private static boolean proper(String key) {
        return !key.isEmpty()
                && key.length() <= IDEMPOTENCY_CHARS_MAX
                && key.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    /** The printable start of a name that its sender may see again. */
    static String echo(String name) {
        StringBuilder shown = new StringBuilder();
        name.codePoints()
                .limit(ECHO_CHARS_MAX)
                .map(c -> c >= ' ' && c < 127 && c != '"' && c != '\\' ? c : '?')
                .forEach(shown::appendCodePoint);
        return shown.toString();
    }
}
