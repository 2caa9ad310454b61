package io.sluice.control.shift;

import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioShift;
import io.sluice.tenants.shift.ScenarioWindow;
import io.sluice.tenants.shift.ShiftPhase;
import io.sluice.tenants.shift.ShiftState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What one controller knows of all scenarios: their calls as all nodes report them, and their states, of which it moves only those
 * that are its own. Reads no clock. Owned by the shift actor.
 *
 * <p>A scenario is looked at while it had calls lately or its state may change by itself; those without trouble take turns, a
 * {@value #TURNS}th of them and {@value #LOOKS_MAX} at most in one tick. So what a tick costs has a bound, whatever the number of tenants.
 */
final class ShiftBook {
    /** Some ten microseconds each: a per cent of a core. */
    static final int LOOKS_MAX = 1_000;

    /** Ticks until each had its turn: without failed calls a trouble is one of several samples in a row, each longer than that. */
    static final int TURNS = 5;

    /** What is not known any more does no harm meanwhile, and all there is has to be looked through. */
    private static final long FORGET_MS = 60_000;

    /** Nodes go on shifting a scenario that is gone for so long. */
    private static final long END_MS = 10_000;

    private final ShiftSettings settings;
    private final Map<ScenarioKey, ScenarioWatch> watches = new HashMap<>();
    private final Map<ScenarioKey, ShiftState> states = new HashMap<>();
    private final Map<ScenarioKey, Shape> shapes = new HashMap<>();
    private final Set<ScenarioKey> owned = new HashSet<>();
    private final Set<ScenarioKey> told = new HashSet<>();
    private final Set<ScenarioKey> unsaid = new HashSet<>();
    private final Set<ScenarioKey> answers = new HashSet<>();

    /** Those whose states were told by others, until they are this controller's. */
    private final Set<ScenarioKey> elsewhere = new HashSet<>();

    /** Whose states may change without a call; looked at in every tick. */
    private final Set<ScenarioKey> unsettled = new LinkedHashSet<>();

    /** Calls failed, or they were adopted just now: first in turn. */
    private final Set<ScenarioKey> hasty = new LinkedHashSet<>();

    /** With calls lately, in the order of their turns. */
    private final Set<ScenarioKey> waiting = new LinkedHashSet<>();

    private List<ScenarioKey> looks = List.of();
    private long forgotMs;
    private long endedMs;

    /** @param scenario the very one that was looked at: its words are made once */
    private record Shape(ScenarioConfig scenario, String words) {}

    ShiftBook(ShiftSettings settings) {
        this.settings = settings;
    }

    /** A node saw calls. */
    void reported(List<ScenarioWindow> windows, long nowMs) {
        for (ScenarioWindow window : windows) {
            ScenarioWatch known = watches.getOrDefault(window.scenario(), ScenarioWatch.fresh(nowMs));
            watches.put(window.scenario(), known.next(window, settings, nowMs));
            (window.failures().isEmpty() ? waiting : hasty).add(window.scenario());
        }
    }

    /** A state is known from elsewhere; one that is not newer is passed over. */
    void heard(ScenarioShift shift) {
        ScenarioKey key = shift.scenario();
        ShiftState known = states.get(key);
        // A state that was only begun here is nobody's: whatever else there is has happened.
        boolean begun = unsaid.remove(key);
        if (known == null || begun || known.version() < shift.state().version()) {
            states.put(key, shift.state());
            answers.remove(key);
            leave(key);
        }
    }

    /**
     * A controller told it to all. Where it knows less than this one, or another state of the same version, as after a split network, it is
     * answered: else the nodes of both would never shift alike again.
     */
    void published(ScenarioShift shift) {
        ScenarioKey key = shift.scenario();
        heard(shift);
        ShiftState known = states.get(key);
        if (!known.equals(shift.state())) {
            answers.add(key);
            if (known.version() == shift.state().version()) {
                leave(key); // who owns it takes it up anew, with a version that both sides accept
            }
        }
    }

    /** States that another controller has to hear, each once. */
    List<ScenarioShift> answers() {
        List<ScenarioShift> due = answers.stream()
                .filter(states::containsKey)
                .map(key -> new ScenarioShift(key, states.get(key)))
                .toList();
        answers.clear();
        return due;
    }

    private void leave(ScenarioKey key) {
        owned.remove(key);
        elsewhere.add(key);
        hasty.add(key);
    }

    /** Chooses the scenarios that the next tick looks at; gives those that this controller has to look after from now on, and does not yet. */
    Set<ScenarioKey> unowned(Predicate<String> mine) {
        Set<ScenarioKey> chosen = new LinkedHashSet<>(unsettled);
        int room = chosen.size() + LOOKS_MAX;
        take(hasty, chosen, room);
        take(waiting, chosen, Math.min(room, chosen.size() + (waiting.size() + TURNS - 1) / TURNS));
        looks = List.copyOf(chosen);
        Set<ScenarioKey> found = new HashSet<>(looks);
        found.addAll(elsewhere);
        found.addAll(told);
        for (Iterator<ScenarioKey> each = found.iterator(); each.hasNext(); ) {
            ScenarioKey key = each.next();
            if (!mine.test(key.key())) {
                owned.remove(key);
                each.remove();
            } else if (owned.contains(key)) {
                each.remove();
            }
        }
        return found;
    }

    private static void take(Set<ScenarioKey> turns, Set<ScenarioKey> chosen, int room) {
        for (Iterator<ScenarioKey> each = turns.iterator(); each.hasNext() && chosen.size() < room; ) {
            chosen.add(each.next());
            each.remove();
        }
    }

    /** The scenarios that the last tick looked at. */
    List<ScenarioKey> looks() {
        return looks;
    }

    /** Whether anything is known of a scenario. */
    boolean knows(ScenarioKey key) {
        return watches.containsKey(key) || states.containsKey(key);
    }

    /** From now on the scenario is this controller's; it goes on from the newest state that is known. */
    void adopt(ScenarioKey key, long nowMs) {
        ShiftState known = states.get(key);
        states.put(key, known == null ? ShiftState.fresh(nowMs) : known.resumed(known.version(), nowMs));
        if (known == null) {
            unsaid.add(key);
        } else {
            told.add(key);
            unsaid.remove(key);
            answers.add(key);
        }
        owned.add(key);
        elsewhere.remove(key);
        hasty.add(key);
    }

    /** Lets time pass: moves every own scenario that was chosen by one step, where it has to. */
    List<ShiftChange> tick(Configuration configuration, long nowMs) {
        List<ShiftChange> changes = new ArrayList<>();
        for (ScenarioKey key : looks) {
            pass(key, nowMs);
            if (!owned.contains(key)) {
                wait(key, nowMs);
                continue;
            }
            ShiftState before = states.get(key);
            ScenarioConfig scenario = scenario(configuration, key);
            ShiftState after = scenario == null ? gone(key, before, nowMs) : next(key, before, scenario, nowMs);
            if (after.version() != before.version()) {
                states.put(key, after);
                told.add(key);
                unsaid.remove(key);
                changes.add(new ShiftChange(key, before, after, scenario == null));
            }
            if (scenario == null) {
                told.remove(key);
            }
            wait(key, nowMs);
        }
        if (nowMs - endedMs >= END_MS) {
            endedMs = nowMs;
            // ended by a tick, so that nodes are told and they are not stored for ever
            told.stream().filter(key -> scenario(configuration, key) == null).forEach(hasty::add);
        }
        if (nowMs - forgotMs >= FORGET_MS) {
            forgotMs = nowMs;
            forget(configuration, nowMs);
        }
        return changes;
    }

    /** Nothing is written where nothing moved: with thousands of scenarios the collector would look at each place that was. */
    @SuppressWarnings("ReferenceEquality")
    private void pass(ScenarioKey key, long nowMs) {
        ScenarioWatch watch = watches.get(key);
        ScenarioWatch moved = watch == null ? null : watch.at(settings, nowMs);
        if (moved != watch) {
            watches.put(key, moved);
        }
    }

    /** Its next turn: after this long without a call nothing is left in the samples that could turn into a trouble. */
    private void wait(ScenarioKey key, long nowMs) {
        long stillMs = (settings.samples() + 2L) * settings.sample().toMillis();
        ShiftState state = states.get(key);
        ScenarioWatch watch = watches.get(key);
        if (state != null && !settled(state)) {
            unsettled.add(key);
            return;
        }
        unsettled.remove(key);
        if (watch != null && nowMs - watch.atMs() <= stillMs) {
            waiting.add(key);
        }
    }

    private static boolean settled(ShiftState state) {
        return state.phase() == ShiftPhase.OFF && state.idle() && state.setbacks() == 0 && state.baselineP95Ms() == 0;
    }

    /** Nodes that were told of it are told once more. */
    private ShiftState gone(ScenarioKey key, ShiftState state, long nowMs) {
        return told.contains(key)
                ? state.slowing(Map.of()).moved(ShiftPhase.OFF, 0, "the scenario is gone", nowMs)
                : state;
    }

    private ShiftState next(ScenarioKey key, ShiftState state, ScenarioConfig scenario, long nowMs) {
        if (reshaped(key, scenario)) {
            watches.remove(key);
            boolean untouched = state.idle() && state.baselineP95Ms() == 0;
            return untouched
                    ? state
                    : state.slowing(Map.of())
                            .because(List.of(), 0)
                            .moved(ShiftPhase.RESTING, 0, "the first rung was changed", nowMs);
        }
        ScenarioWatch watch = watches.getOrDefault(key, ScenarioWatch.fresh(nowMs));
        ShiftInput input = watch.input(scenario, state, settings);
        ShiftState moved = ShiftDecider.decide(state, input, nowMs, settings);
        return moved.slowing(watch.slowed(scenario, moved, settings, nowMs));
    }

    @SuppressWarnings("ReferenceEquality") // an equal one costs what making its words costs
    private boolean reshaped(ScenarioKey key, ScenarioConfig scenario) {
        Shape before = shapes.get(key);
        if (before != null && before.scenario() == scenario) {
            return false;
        }
        Shape now = new Shape(scenario, shape(scenario));
        shapes.put(key, now);
        return before != null && !before.words().equals(now.words());
    }

    /** What is usual is learned anew where this changes: sensitivity decides how much work an answer is. */
    private static String shape(ScenarioConfig scenario) {
        RungConfig first = scenario.ladder().get(0);
        String pool = first instanceof RungConfig.Pool named ? named.pool() : "";
        return scenario.sensitivity() + " " + first.name() + " " + pool;
    }

    private static ScenarioConfig scenario(Configuration configuration, ScenarioKey key) {
        TenantTree tree = configuration.tenants().get(key.tenant());
        return tree == null ? null : tree.scenarios().get(key.scenario());
    }

    private void forget(Configuration configuration, long nowMs) {
        long oldMs = nowMs - (Baseline.STEPS + 1) * settings.baselineStep().toMillis();
        watches.entrySet()
                .removeIf(each -> each.getValue().atMs() < oldMs || scenario(configuration, each.getKey()) == null);
        states.entrySet()
                .removeIf(each -> each.getValue().phase() == ShiftPhase.OFF
                        && each.getValue().idle()
                        && each.getValue().sinceMs() < oldMs
                        && !watches.containsKey(each.getKey()));
        owned.retainAll(states.keySet());
        told.retainAll(states.keySet());
        elsewhere.retainAll(states.keySet());
        unsettled.retainAll(states.keySet());
        unsaid.retainAll(states.keySet());
        shapes.keySet().retainAll(states.keySet());
    }

    /** Own states that nodes were told of: told again, so that who missed one hears the next. */
    List<ScenarioShift> told() {
        return told.stream()
                .filter(owned::contains)
                .map(key -> new ScenarioShift(key, states.get(key)))
                .toList();
    }

    /** How a scenario stands; empty where it is not configured, or neither calls nor a state are known. */
    Optional<ShiftLook> look(Configuration configuration, ScenarioKey key, long nowMs) {
        ScenarioConfig scenario = knows(key) ? scenario(configuration, key) : null;
        if (scenario == null) {
            return Optional.empty();
        }
        ScenarioWatch watch = watches.get(key);
        ShiftState state = states.get(key);
        return Optional.of(new ShiftLook(
                key,
                scenario,
                watch == null ? ScenarioWatch.fresh(nowMs) : watch,
                state == null ? ShiftState.fresh(nowMs) : state,
                settings,
                nowMs));
    }
}
