package io.sluice.control.shift;

import io.sluice.control.api.ShiftStanding;
import io.sluice.tenants.shift.PublishedShifts;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioShift;
import io.sluice.tenants.shift.ShiftPhase;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** How every scenario stood at the last look. Thread-safe. */
public final class ShiftBoard {
    private final Collection<Consumer<ShiftStanding>> listeners = new CopyOnWriteArrayList<>();
    private final Map<ScenarioKey, ShiftLook> looks = new ConcurrentHashMap<>();

    /** Those that were looked at; the others stand as they did. Tells listeners of those whose state changed. */
    void publish(Collection<ShiftLook> looked) {
        for (ShiftLook now : looked) {
            ShiftLook was = looks.put(now.key(), now);
            boolean changed = was == null
                    ? now.state().phase() != ShiftPhase.OFF
                    : was.state().version() != now.state().version();
            if (changed && !listeners.isEmpty()) {
                ShiftStanding standing = now.standing();
                listeners.forEach(listener -> listener.accept(standing));
            }
        }
    }

    /** Forgets all others. */
    public void retain(Predicate<ScenarioKey> known) {
        looks.keySet().removeIf(known.negate());
    }

    /** How a scenario stands; empty where it has had no traffic. */
    public Optional<ShiftStanding> of(ScenarioKey scenario) {
        return Optional.ofNullable(looks.get(scenario)).map(ShiftLook::standing);
    }

    /** Scenarios of all tenants in a phase. */
    public long count(ShiftPhase phase) {
        return looks.values().stream()
                .filter(each -> each.state().phase() == phase)
                .count();
    }

    /** What nodes make of it, as far as this process knows. */
    public PublishedShifts shifts() {
        return PublishedShifts.NONE.plus(looks.values().stream()
                .map(each -> new ScenarioShift(each.key(), each.state()))
                .toList());
    }

    /** Calls {@code listener} for each state that changed until the result is run. */
    public Runnable listen(Consumer<ShiftStanding> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
