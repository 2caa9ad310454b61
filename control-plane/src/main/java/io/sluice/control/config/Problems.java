package io.sluice.control.config;

import io.sluice.control.api.DateTimeText;
import io.sluice.tenants.Ids;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.config.UserErrorCode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Collects the mistakes of one command; each part of the input writes to the same list under a path of its own. */
final class Problems {
    /** Longest name for people, characters: what fits a table's column in any console. */
    static final int NAME_CHARS_MAX = 256;

    private final List<UserError> found;
    private final List<String> path;
    private final Untold untold;

    /** Mistakes that were noticed again at a path where one was told. */
    private static final class Untold {
        private int count;
    }

    Problems() {
        this(new ArrayList<>(), List.of(), new Untold());
    }

    private Problems(List<UserError> found, List<String> path, Untold untold) {
        this.found = found;
        this.path = path;
        this.untold = untold;
    }

    /** The same list, for mistakes below {@code more}. */
    Problems at(String... more) {
        List<String> longer = new ArrayList<>(path);
        longer.addAll(Arrays.asList(more));
        return new Problems(found, List.copyOf(longer), untold);
    }

    void add(UserErrorCode code, String message, String... more) {
        found.add(new UserError(at(more).path, code, message));
    }

    /** Grows with every mistake, also one that is not told because of another at the same place. */
    int count() {
        return found.size() + untold.count;
    }

    List<UserError> all() {
        return found;
    }

    /** Whether {@code value} is there; what was read as something else was told before and is not told again. */
    boolean present(Object value, String... more) {
        return there(value, "is required", more);
    }

    /** Likewise for a member with a default, which is null only where somebody wrote null. */
    boolean notNull(Object value, String... more) {
        return there(value, "null is no value here; leave it out for the default", more);
    }

    private boolean there(Object value, String otherwise, String... more) {
        if (value == null) {
            List<String> here = at(more).path;
            if (found.stream().anyMatch(error -> error.path().equals(here))) {
                untold.count++;
            } else {
                add(UserErrorCode.REQUIRED, otherwise, more);
            }
        }
        return value != null;
    }

    /** Whether {@code id} is there and follows the rule for ids. */
    boolean id(String id, String... more) {
        if (!present(id, more)) {
            return false;
        }
        if (!Ids.valid(id)) {
            add(UserErrorCode.INVALID, "must be " + Ids.RULE, more);
        }
        return Ids.valid(id);
    }

    /** A name for people: not blank, not long, nothing that moves a terminal's cursor. */
    boolean name(String name, String... more) {
        boolean valid = !name.isBlank()
                && name.length() <= NAME_CHARS_MAX
                && name.chars().noneMatch(Character::isISOControl);
        if (!valid) {
            add(
                    UserErrorCode.INVALID,
                    "must be 1 to " + NAME_CHARS_MAX + " characters, not only blanks, without control characters",
                    more);
        }
        return valid;
    }

    /** A whole number in a range. */
    boolean range(Integer number, int min, int max, String... more) {
        if (!present(number, more)) {
            return false;
        }
        boolean valid = number >= min && number <= max;
        if (!valid) {
            add(UserErrorCode.INVALID, "must be a whole number from " + min + " to " + max, more);
        }
        return valid;
    }

    /** One of the constants of {@code type}; null where it is missing or none of them. */
    <E extends Enum<E>> E oneOf(Class<E> type, String word, String... more) {
        if (!present(word, more)) {
            return null;
        }
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(word)) {
                return constant;
            }
        }
        add(UserErrorCode.INVALID, "must be one of " + Arrays.toString(type.getEnumConstants()), more);
        return null;
    }

    /** A positive ISO-8601 duration of at most {@code max}; empty where it is missing (no mistake) or wrong. */
    Optional<Duration> duration(String text, Duration max, String... more) {
        if (text == null) {
            return Optional.empty();
        }
        try {
            Duration duration = Duration.parse(text);
            if (duration.toNanos() > 0 && duration.toMillis() > 0 && duration.compareTo(max) <= 0) {
                return Optional.of(duration);
            }
        } catch (DateTimeException | ArithmeticException notOne) {
            // told below
        }
        add(
                UserErrorCode.INVALID,
                "must be an ISO-8601 duration from 1 ms to " + max + ", such as PT2.5S for two and a half seconds",
                more);
        return Optional.empty();
    }

    /** A point in time; empty where it is missing (no mistake) or wrong. */
    Optional<Instant> instant(String text, String... more) {
        if (text == null) {
            return Optional.empty();
        }
        Optional<Instant> instant = DateTimeText.parse(text);
        if (instant.isEmpty()) {
            add(UserErrorCode.INVALID, "must be " + DateTimeText.RULE, more);
        }
        return instant;
    }

    /** Refuses a member of a later version, which would be stored and then do nothing. */
    void notYet(Object value, String what, String... more) {
        if (value != null) {
            add(UserErrorCode.INVALID, what + " by this version; leave it out", more);
        }
    }

    /**
     * The version after a write.
     *
     * @param named what the command says it read; null where it says nothing
     * @param present 0 where there is no such object yet
     * @param free whether no version need be named: documents are guarded as a whole by the expected epoch, and nobody can have read
     *     what does nothing any more in order to keep it
     */
    int nextVersion(Integer named, int present, boolean free) {
        boolean nothingThere = present == 0;
        if (nothingThere && named != null && named != 0) {
            add(
                    UserErrorCode.CONFLICT_VERSION,
                    "there is no such object yet; leave version out to create it",
                    "version");
        } else if (!nothingThere && named == null && !free) {
            add(
                    UserErrorCode.CONFLICT_VERSION,
                    "exists in version " + present + "; read it and name the version you read",
                    "version");
        } else if (!nothingThere && named != null && named != present) {
            add(
                    UserErrorCode.CONFLICT_VERSION,
                    "the present version is " + present + ", not " + named + "; read it again",
                    "version");
        }
        return present + 1;
    }
}
