package io.sluice.control.config;

import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.UserError;
import java.util.List;
import java.util.function.Function;

/** What comes of a command. */
public sealed interface ConfigDecision {
    /**
     * It can be done.
     *
     * @param configuration afterwards; of the next epoch, or the present one where nothing changes
     * @param changes every object it names, also unchanged ones
     * @param objectId of what was made or changed; null for a document
     * @param secret a key or token just made; null otherwise
     */
    record Accepted(Configuration configuration, List<ObjectChange> changes, String objectId, String secret)
            implements ConfigDecision {
        public Accepted {
            changes = List.copyOf(changes);
        }

        /** Whether any object differs afterwards. */
        public boolean changesSomething() {
            return changes.stream().anyMatch(each -> each.change() != ObjectChange.Change.UNCHANGED);
        }

        @Override
        public String toString() {
            return "Accepted[" + objectId + ", " + changes + "]";
        }
    }

    /** It can not; nothing may be changed. */
    record Refused(List<UserError> errors) implements ConfigDecision {
        public Refused {
            errors = List.copyOf(errors);
        }
    }

    /** One answer for each. */
    default <T> T fold(Function<Accepted, T> accepted, Function<Refused, T> refused) {
        return this instanceof Accepted a ? accepted.apply(a) : refused.apply((Refused) this);
    }
}
