package io.sluice.control.owner;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.plugins.bus.SoftStates.Versioned;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * States of one kind, as an owner leaves them to the next. What can not be stored now is stored with the next flush. Thread-safe.
 *
 * @param <T> a record that Jackson reads and writes
 */
public final class Stored<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Stored.class);

    /** Soft state answers within milliseconds; who waits for it longer keeps pools and caps without an owner. */
    private static final long ANSWER_S_MAX = 2;

    private final SoftStates states;
    private final String kind;
    private final Class<T> type;
    private final Map<String, Versioned> unsaved = new ConcurrentHashMap<>();

    public Stored(SoftStates states, String kind, Class<T> type) {
        this.states = states;
        this.kind = kind;
        this.type = type;
    }

    /** All of them; one that another release wrote and this one can not read is left out. Fails
     * where they do not come soon; completes on any thread. */
    public Future<List<T>> all() {
        return states.all(kind).timeout(ANSWER_S_MAX, TimeUnit.SECONDS).map(all -> {
            List<T> read = new ArrayList<>();
            all.forEach((key, state) -> {
                try {
                    read.add(StrictJson.MAPPER.readValue(state.json(), type));
                } catch (JsonProcessingException otherRelease) {
                    LOG.warn("the {} of {} can not be read and begin anew", kind, key, otherRelease);
                }
            });
            return read;
        });
    }

    /** Stores {@code state} with the next {@link #flush}, unless a newer one of the same key comes before. */
    public void later(String key, long version, T state) {
        try {
            keep(key, new Versioned(version, StrictJson.MAPPER.writeValueAsString(state)));
        } catch (JsonProcessingException brokenRecord) {
            throw new IllegalStateException(brokenRecord);
        }
    }

    /** Stores what is due. */
    public void flush() {
        for (String key : List.copyOf(unsaved.keySet())) {
            Versioned due = unsaved.remove(key);
            if (due != null) {
                states.save(kind, key, due).onFailure(away -> {
                    LOG.debug("the {} of {} are not stored yet", kind, key, away);
                    keep(key, due);
                });
            }
        }
    }

    /** Forgets one that nobody needs any more. */
    public void remove(String key) {
        unsaved.remove(key);
        states.remove(kind, key).onFailure(away -> LOG.debug("the {} of {} are still stored", kind, key, away));
    }

    private void keep(String key, Versioned state) {
        unsaved.merge(key, state, (before, now) -> now.version() > before.version() ? now : before);
    }
}
