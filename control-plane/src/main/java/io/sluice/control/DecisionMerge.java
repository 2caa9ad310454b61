package io.sluice.control;

import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes one page of what several nodes answered: newest first over all nodes, and each node's records in the order in which it told
 * them. Where a node had to stop before it looked at everything, the page stops too, so that nothing comes out of order. Used once.
 */
final class DecisionMerge {
    private final DecisionPlace place;
    private final Map<String, DecisionPage> pages = new TreeMap<>();
    private final Map<String, Integer> taken = new HashMap<>();

    private DecisionMerge(DecisionPlace place, Map<String, DecisionPage> answers) {
        this.place = place;
        answers.forEach((node, page) -> {
            if (!DecisionPlace.END.equals(place.after().get(node))) {
                pages.put(node, page);
                taken.put(node, 0);
            }
        });
    }

    /** The page of at most {@code limit} records that follows {@code place}, of the answers to its questions by node. */
    static DecisionPage page(DecisionPlace place, Map<String, DecisionPage> answers, int limit) {
        return new DecisionMerge(place, answers).page(limit);
    }

    private DecisionPage page(int limit) {
        List<DecisionRecord> records = new ArrayList<>();
        for (String node = next(); node != null && records.size() < limit; node = next()) {
            int index = taken.merge(node, 1, Integer::sum) - 1;
            records.add(pages.get(node).records().get(index));
        }
        Map<String, String> after = new HashMap<>(place.after());
        pages.keySet().forEach(node -> {
            if (!left(node) || taken.get(node) > 0) {
                after.put(node, cursor(node));
            }
        });
        boolean more = pages.keySet().stream().anyMatch(node -> !DecisionPlace.END.equals(after.get(node)));
        Instant shown = records.isEmpty()
                ? place.shown()
                : records.get(records.size() - 1).at();
        return new DecisionPage(records, List.of(), more ? new DecisionPlace(shown, after).text() : null);
    }

    /** The node with the newest record that is left; null where none is, or where one did not tell all it has yet. */
    private String next() {
        String newest = null;
        for (String node : pages.keySet()) {
            if (left(node)) {
                newest = newest == null || head(node).at().isAfter(head(newest).at()) ? node : newest;
            } else if (pages.get(node).next() != null) {
                return null;
            }
        }
        return newest;
    }

    private boolean left(String node) {
        return taken.get(node) < pages.get(node).records().size();
    }

    private DecisionRecord head(String node) {
        return pages.get(node).records().get(taken.get(node));
    }

    private String cursor(String node) {
        DecisionPage page = pages.get(node);
        if (!left(node)) {
            return page.next() == null ? DecisionPlace.END : page.next();
        }
        return page.cursors().get(taken.get(node) - 1);
    }
}
