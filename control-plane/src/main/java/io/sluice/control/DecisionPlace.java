package io.sluice.control;

import io.sluice.tenants.message.BusMessage.FindDecisions;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where a list of several nodes' decisions is, between two pages: behind which record of each node. Of a node that is not named nothing
 * was shown yet; whatever of it is newer than what was shown, because it came or answered late, is left out.
 *
 * @param shown when the last shown request came; null where none was shown
 * @param after cursor of each node; {@link #END} where it has no more
 */
record DecisionPlace(Instant shown, Map<String, String> after) {
    static final DecisionPlace FIRST = new DecisionPlace(null, Map.of());
    static final String END = "";

    private static final Pattern TEXT = Pattern.compile("(?:([0-9]{1,12})[.]([0-9]{1,9}))?;(.*)");
    private static final Pattern NODE = Pattern.compile("([A-Za-z0-9._-]{1,80}):([0-9]{1,12}-[0-9]{1,9})?");

    DecisionPlace {
        after = Map.copyOf(after);
    }

    /**
     * The place that {@link #text} gave; null is the beginning.
     *
     * @throws IllegalArgumentException where it is none
     */
    static DecisionPlace parse(String text) {
        if (text == null) {
            return FIRST;
        }
        Matcher whole = TEXT.matcher(text);
        if (!whole.matches()) {
            throw foreign();
        }
        Instant shown = whole.group(1) == null
                ? null
                : Instant.ofEpochSecond(Long.parseLong(whole.group(1)), Long.parseLong(whole.group(2)));
        Map<String, String> after = new HashMap<>();
        for (String each : whole.group(3).split(",", -1)) {
            Matcher node = NODE.matcher(each);
            if (!node.matches()) {
                throw foreign();
            }
            after.put(node.group(1), node.group(2) == null ? END : node.group(2));
        }
        return new DecisionPlace(shown, after);
    }

    private static IllegalArgumentException foreign() {
        return new IllegalArgumentException("not a cursor of this list");
    }

    String text() {
        String time = shown == null ? "" : shown.getEpochSecond() + "." + shown.getNano();
        return new TreeMap<>(after)
                .entrySet().stream()
                        .map(node -> node.getKey() + ":" + node.getValue())
                        .collect(Collectors.joining(",", time + ";", ""));
    }

    /** What {@code node} is asked, to go on with {@code query}; a limit of 0 where it has no more. */
    FindDecisions question(FindDecisions query, String node) {
        String cursor = after.get(node);
        boolean late = cursor == null && shown != null && (query.to() == null || shown.isBefore(query.to()));
        return new FindDecisions(
                query.tenant(),
                query.scenario(),
                query.step(),
                query.outcome(),
                query.from(),
                late ? shown.plusNanos(1) : query.to(),
                END.equals(cursor) ? null : cursor,
                END.equals(cursor) ? 0 : query.limit());
    }
}
