package io.sluice.graphql;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * One page of a connection. Cursors are opaque: base64 of the last key.
 *
 * @param totalCount over all pages; -1 where the connection does not tell
 */
record Page<T>(List<T> nodes, Info info, int totalCount) implements Connection {
    /** Relay's page info. */
    record Info(boolean hasNextPage, String endCursor) {}

    Page {
        nodes = List.copyOf(nodes);
    }

    static <T> Page<T> empty() {
        return new Page<>(List.of(), new Info(false, null), 0);
    }

    /** The first {@code first} of {@code all}, in the order of their keys, after the cursor {@code after}. */
    static <T> Page<T> of(List<T> all, Function<T, String> key, int first, String after) {
        String afterKey = after == null ? null : decode(after);
        List<T> rest = all.stream()
                .filter(each -> afterKey == null || key.apply(each).compareTo(afterKey) > 0)
                .sorted(Comparator.comparing(key))
                .limit(first + 1L)
                .toList();
        List<T> nodes = rest.size() > first ? rest.subList(0, first) : rest;
        String last = nodes.isEmpty() ? null : encode(key.apply(nodes.get(nodes.size() - 1)));
        return new Page<>(nodes, new Info(rest.size() > first, last), all.size());
    }

    /** A page that another store cut; {@code next} is that store's cursor, null on the last page. */
    static <T> Page<T> cut(List<T> nodes, String next) {
        return new Page<>(nodes, new Info(next != null, next == null ? null : encode(next)), -1);
    }

    static String encode(String key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    /** Throws {@link RefusedException} where {@code cursor} is none of ours. */
    static String decode(String cursor) {
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            throw foreignCursor();
        }
    }

    static RefusedException foreignCursor() {
        return new RefusedException(ErrorCode.BAD_USER_INPUT, "after must be the endCursor of another page");
    }
}
