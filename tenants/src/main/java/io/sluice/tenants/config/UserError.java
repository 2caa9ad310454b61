package io.sluice.tenants.config;

import java.util.List;
import java.util.Objects;

/**
 * A mistake of the caller's: where in the input, which kind, and what to do about it.
 *
 * @param path member names and list indexes from the input's root, such as {@code [targets, 0, model]}
 */
public record UserError(List<String> path, UserErrorCode code, String message) {
    public UserError {
        path = List.copyOf(path);
        Objects.requireNonNull(code);
        Objects.requireNonNull(message);
    }
}
