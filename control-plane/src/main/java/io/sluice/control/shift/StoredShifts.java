package io.sluice.control.shift;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.plugins.bus.SoftStates.Versioned;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioShift;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The states of shifts where the next controller finds them. Thread-safe. */
public final class StoredShifts {
    private static final Logger LOG = LoggerFactory.getLogger(StoredShifts.class);

    private static final String KIND = "shift";

    private final SoftStates states;

    /** Among {@code states}. */
    public StoredShifts(SoftStates states) {
        this.states = states;
    }

    /** All that are kept; one that can't be read is as good as lost, and comes again from reports. */
    public Future<List<ScenarioShift>> load() {
        return states.all(KIND)
                .map(found -> found.entrySet().stream()
                        .map(StoredShifts::read)
                        .flatMap(Optional::stream)
                        .toList());
    }

    private static Optional<ScenarioShift> read(Map.Entry<String, Versioned> stored) {
        try {
            return Optional.of(StrictJson.MAPPER.readValue(stored.getValue().json(), ScenarioShift.class));
        } catch (JsonProcessingException ofAnotherRelease) {
            LOG.warn("the stored shift of {} can not be read", stored.getKey(), ofAnotherRelease);
            return Optional.empty();
        }
    }

    /** Keeps a state, unless a newer one is kept. */
    Future<Void> save(ScenarioShift shift) {
        try {
            String json = StrictJson.MAPPER.writeValueAsString(shift);
            return states.save(
                    KIND, shift.scenario().key(), new Versioned(shift.state().version(), json));
        } catch (JsonProcessingException bug) {
            return Future.failedFuture(bug);
        }
    }

    /** A scenario is no more. */
    Future<Void> remove(ScenarioKey scenario) {
        return states.remove(KIND, scenario.key());
    }
}
