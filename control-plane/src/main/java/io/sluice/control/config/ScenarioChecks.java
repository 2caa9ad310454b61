package io.sluice.control.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.ConfigCommand.PutScenario;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.CacheSetting;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.KeywordAnswers;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.ScenarioDefaults;
import io.sluice.tenants.config.ScenarioSettings;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.UserErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Scenarios and their ladders. */
final class ScenarioChecks {
    /** Callers' own HTTP clients give up after ten minutes (the OpenAI SDKs' default). */
    static final Duration DEADLINE_MAX = Duration.ofMinutes(10);

    /** Each rung is a step down that a person has to be able to explain. */
    static final int RUNGS_MAX = 16;

    /** A text for people to read, not a document. */
    static final int TEXT_CHARS_MAX = 16_384;

    private ScenarioChecks() {}

    static void put(Draft draft, PutScenario command, Problems problems) {
        int mistakes = problems.count();
        boolean named = problems.id(command.name(), "name");
        ScenarioConfig now = named ? draft.tree().scenarios().get(command.name()) : null;
        int version =
                named ? problems.nextVersion(command.version(), now == null ? 0 : now.version(), draft.document()) : 0;
        Sensitivity sensitivity = problems.oneOf(Sensitivity.class, command.sensitivity(), "sensitivity");
        RequestKind kind = problems.oneOf(RequestKind.class, command.kind(), "kind");
        problems.notNull(command.core(), "core");
        int beforeTimes = problems.count();
        Duration deadline =
                problems.duration(command.deadline(), DEADLINE_MAX, "deadline").orElse(null);
        Duration whole = deadline == null ? ScenarioDefaults.DEADLINE : deadline;
        Duration firstToken = within(command.firstTokenTimeout(), whole, "firstTokenTimeout", problems);
        boolean timesAreRight = problems.count() == beforeTimes;
        problems.notYet(command.outputSchema(), "output schemas are not enforced", "outputSchema");
        Map<String, JsonNode> settings = ProviderChecks.settings(command.settings(), problems);
        Set<String> wrongSettings = SettingChecks.check(settings, problems.at("settings"));
        ScenarioSettings.contextConflict(settings)
                .ifPresent(
                        message -> problems.add(UserErrorCode.INVALID, message, "settings", ScenarioSettings.CONTEXT));
        if (settings.containsKey(ScenarioSettings.CACHE) && kind != null && kind != RequestKind.READ) {
            problems.add(
                    UserErrorCode.INVALID,
                    "answers are shared only between requests of kind READ; leave it out",
                    "settings",
                    ScenarioSettings.CACHE);
        }
        Set<String> variants = wrongSettings.contains(ScenarioSettings.PROMPT_VARIANTS)
                ? null
                : ScenarioSettings.promptVariants(settings).keySet();
        int beforeLadder = problems.count();
        List<RungConfig> ladder = ladder(draft, command.ladder(), whole, variants, problems);
        if (problems.count() == beforeLadder) {
            falseRedundancy(draft, ladder, problems);
            if (!wrongSettings.contains(ScenarioSettings.CACHE)) {
                cacheRungs(ladder, ScenarioSettings.exactCacheTtl(settings), problems);
            }
            if (kind != null && !wrongSettings.contains(ScenarioSettings.SHIFT)) {
                ScenarioSettings.shift(settings)
                        .conflict(kind, ladder)
                        .ifPresent(message ->
                                problems.add(UserErrorCode.INVALID, message, "settings", ScenarioSettings.SHIFT));
            }
            if (timesAreRight && !wrongSettings.contains(ScenarioSettings.LOWER_RUNGS_RESERVE)) {
                new LadderTimes(whole, ScenarioSettings.reserve(settings, whole), firstToken).check(ladder, problems);
            }
        }
        LimitsConfig limits = LimitChecks.read(command.limits(), "limits", problems);
        if (now == null && draft.tree().scenarios().size() >= ProviderChecks.OBJECTS_MAX) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "the tenant has the most scenarios it can have", "name");
        }
        if (problems.count() > mistakes) {
            return;
        }
        boolean core = command.core();
        ScenarioConfig same = new ScenarioConfig(
                command.name(),
                now == null ? 0 : now.version(),
                sensitivity,
                kind,
                core,
                deadline,
                firstToken,
                ladder,
                settings,
                limits);
        if (same.equals(now)) {
            draft.put(now, Change.UNCHANGED);
        } else {
            ScenarioConfig made = new ScenarioConfig(
                    command.name(), version, sensitivity, kind, core, deadline, firstToken, ladder, settings, limits);
            draft.put(made, now == null ? Change.CREATED : Change.UPDATED);
        }
    }

    private static List<RungConfig> ladder(
            Draft draft, List<PutScenario.Rung> typed, Duration deadline, Set<String> variants, Problems problems) {
        List<RungConfig> ladder = new ArrayList<>();
        if (!problems.present(typed, "ladder")) {
            return ladder;
        }
        if (typed.isEmpty() || typed.size() > RUNGS_MAX) {
            problems.add(UserErrorCode.INVALID, "must have 1 to " + RUNGS_MAX + " rungs", "ladder");
            return ladder;
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < typed.size(); i++) {
            PutScenario.Rung rung = typed.get(i);
            Problems here = problems.at("ladder", Integer.toString(i));
            if (here.id(rung.name(), "name") && !names.add(rung.name())) {
                here.add(UserErrorCode.DUPLICATE, "a rung before has this name", "name");
            }
            if (kinds(rung) == 1) {
                place(typed, i, here);
            }
            rung(draft, rung, deadline, variants, here).ifPresent(ladder::add);
        }
        return ladder;
    }

    /** Rungs that share one account's limits are out together: the second helps only where the first's trouble is its own. */
    private static void falseRedundancy(Draft draft, List<RungConfig> ladder, Problems problems) {
        Set<ScopedId> groups = new HashSet<>();
        int pools = 0;
        for (RungConfig rung : ladder) {
            if (rung instanceof RungConfig.Pool named) {
                pools++;
                Optional<PoolConfig> pool = draft.visible(named.pool(), Catalog::pools);
                if (pool.isEmpty()) {
                    return; // it is in the same document and wrong, which is told there
                }
                for (TargetConfig target : pool.get().targets()) {
                    groups.add(draft.provider(pool.get(), target)
                            .filter(provider -> provider.quotaGroup() != null)
                            .map(provider -> new ScopedId(provider.id().tenant(), provider.quotaGroup()))
                            .orElse(null));
                }
            }
        }
        if (pools > 1 && groups.size() == 1 && !groups.contains(null)) {
            problems.add(
                    UserErrorCode.FALSE_REDUNDANCY,
                    "all its pools use the quota group \""
                            + groups.iterator().next().id()
                            + "\", so that they run out together; put a pool of another account on the ladder, or leave one pool",
                    "ladder");
        }
    }

    /** A rung of old answers needs answers, and more patience than the scenario has anyway. */
    private static void cacheRungs(List<RungConfig> ladder, Duration ttl, Problems problems) {
        for (int i = 0; i < ladder.size(); i++) {
            if (ladder.get(i) instanceof RungConfig.Cache cache
                    && cache.maxAge().compareTo(ttl) <= 0) {
                problems.at("ladder", Integer.toString(i))
                        .add(
                                UserErrorCode.INVALID,
                                "must be longer than the ttl " + ttl + " of the setting cache",
                                "cache");
            } else if (ladder.get(i) instanceof RungConfig.Cache && ttl.isZero()) {
                problems.at("ladder", Integer.toString(i))
                        .add(
                                UserErrorCode.INVALID,
                                "needs the scenario's setting cache, which says that equal requests may share an answer",
                                "cache");
            }
        }
    }

    /** How many kinds of rung it would be. What it lacks or may not have follows from its kind, so it needs one first. */
    private static long kinds(PutScenario.Rung typed) {
        return Stream.of(typed.pool(), typed.text(), typed.cache(), typed.rules())
                .filter(each -> each != null)
                .count();
    }

    /** Models first, then what answers without one; what always answers comes last. */
    private static void place(List<PutScenario.Rung> typed, int i, Problems here) {
        PutScenario.Rung rung = typed.get(i);
        String kind = rung.pool() != null
                ? null
                : rung.text() != null ? "text" : rung.rules() != null ? "rules" : rung.cache() != null ? "cache" : null;
        if (i == 0 && kind != null) {
            here.add(UserErrorCode.INVALID, "the first rung must be a pool", "pool");
        }
        if (i < typed.size() - 1 && kind != null) {
            if (kind.equals("text") || (kind.equals("rules") && rung.rules().has("otherwise"))) {
                here.add(UserErrorCode.INVALID, "it always answers, so its rung must be the last", kind);
            } else if (typed.subList(i + 1, typed.size()).stream().anyMatch(below -> below.pool() != null)) {
                here.add(UserErrorCode.INVALID, "pools must stand above it: it gives up more than they do", kind);
            }
        }
    }

    private static Optional<RungConfig> rung(
            Draft draft, PutScenario.Rung typed, Duration deadline, Set<String> variants, Problems problems) {
        int mistakes = problems.count();
        if (kinds(typed) != 1) {
            problems.add(
                    kinds(typed) == 0 ? UserErrorCode.REQUIRED : UserErrorCode.INVALID,
                    "must have exactly one of pool, cache, rules and text");
            return Optional.empty();
        }
        if (typed.pool() != null && !draft.sees(ObjectKind.POOL, typed.pool(), Catalog::pools)) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such pool; put it first", "pool");
        }
        Duration timeout = within(typed.timeout(), deadline, "timeout", problems);
        Duration minRemaining = within(typed.minRemaining(), deadline, "minRemaining", problems);
        if (minRemaining != null && minRemaining.equals(deadline)) {
            problems.add(UserErrorCode.INVALID, "must be less than the deadline " + deadline, "minRemaining");
        }
        Optional<KeywordAnswers> rules = Optional.empty();
        if (typed.pool() == null) {
            onlyPools(typed, problems);
        } else {
            edits(typed, variants, problems);
        }
        if (typed.text() != null) {
            text(typed, problems);
        }
        if (typed.cache() != null) {
            CacheSetting.problem(typed.cache(), CacheSetting.MAX_AGE)
                    .ifPresent(message -> problems.add(UserErrorCode.INVALID, message, "cache"));
        }
        if (typed.rules() != null) {
            rules = RulesReader.read(typed.rules(), problems.at("rules"));
        }
        if (problems.count() > mistakes || typed.name() == null) {
            return Optional.empty();
        }
        if (typed.cache() != null) {
            return CacheSetting.read(typed.cache(), CacheSetting.MAX_AGE)
                    .map(maxAge -> new RungConfig.Cache(typed.name(), maxAge));
        }
        if (typed.pool() == null) {
            return Optional.of(rules.<RungConfig>map(read -> new RungConfig.Rules(typed.name(), read))
                    .orElseGet(() -> new RungConfig.Text(typed.name(), typed.text())));
        }
        return Optional.of(new RungConfig.Pool(
                typed.name(),
                typed.pool(),
                typed.maxTokensFactor(),
                typed.fewShotMax(),
                typed.promptVariant(),
                timeout,
                minRemaining));
    }

    /** @param variants names that the scenario has prompts for; null where that setting is wrong, which is told there */
    private static void edits(PutScenario.Rung typed, Set<String> variants, Problems problems) {
        Double factor = typed.maxTokensFactor();
        if (factor != null && !(factor > 0 && factor <= 1)) {
            problems.add(
                    UserErrorCode.INVALID,
                    "must be above 0 and at most 1: the share of the answer's length that is left",
                    "maxTokensFactor");
        }
        if (typed.fewShotMax() != null && typed.fewShotMax() < 0) {
            problems.add(UserErrorCode.INVALID, "must be 0 or more: the pairs of examples that are kept", "fewShotMax");
        }
        if (typed.promptVariant() != null && variants != null && !variants.contains(typed.promptVariant())) {
            String known = variants.isEmpty() ? "it has none" : "it has " + String.join(", ", variants);
            problems.add(
                    UserErrorCode.NOT_FOUND,
                    "the scenario's setting promptVariants has no such prompt; " + known,
                    "promptVariant");
        }
    }

    private static void onlyPools(PutScenario.Rung typed, Problems problems) {
        String time = "this rung takes no time; leave it out";
        String request = "only a pool is sent a request; leave it out";
        refuse(typed.timeout(), time, "timeout", problems);
        refuse(typed.minRemaining(), time, "minRemaining", problems);
        refuse(typed.maxTokensFactor(), request, "maxTokensFactor", problems);
        refuse(typed.fewShotMax(), request, "fewShotMax", problems);
        refuse(typed.promptVariant(), request, "promptVariant", problems);
    }

    private static void refuse(Object value, String why, String member, Problems problems) {
        if (value != null) {
            problems.add(UserErrorCode.INVALID, why, member);
        }
    }

    private static void text(PutScenario.Rung typed, Problems problems) {
        if (typed.text().isBlank() || typed.text().length() > TEXT_CHARS_MAX) {
            problems.add(
                    UserErrorCode.INVALID, "must be 1 to " + TEXT_CHARS_MAX + " characters, not only blanks", "text");
        }
    }

    /** A duration that fits into the deadline; null where it is missing or wrong. */
    private static Duration within(String text, Duration deadline, String member, Problems problems) {
        Optional<Duration> duration = problems.duration(text, DEADLINE_MAX, member);
        if (duration.isPresent() && duration.get().compareTo(deadline) > 0) {
            problems.add(UserErrorCode.INVALID, "must not be more than the deadline " + deadline, member);
            return null;
        }
        return duration.orElse(null);
    }
}
