package io.sluice.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.sluice.tenants.message.BusMessage.FindDecisions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionMergeTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final Instant START = Instant.parse("2026-03-04T05:06:07.089Z");

    /** A node that keeps records, newest first, and looks at so many of them before it answers. */
    private record KeepingNode(List<DecisionRecord> records, int scannedMax) {
        DecisionPage answer(FindDecisions query) {
            int index =
                    query.after() == null ? 0 : Integer.parseInt(query.after().substring(2));
            int stop = index + scannedMax;
            List<DecisionRecord> found = new ArrayList<>();
            List<String> cursors = new ArrayList<>();
            for (; index < records.size(); index++) {
                if (found.size() == query.limit() || index == stop) {
                    return new DecisionPage(found, cursors, "1-" + index);
                }
                DecisionRecord record = records.get(index);
                if (query.to() == null || record.at().isBefore(query.to())) {
                    found.add(record);
                    cursors.add("1-" + (index + 1));
                }
            }
            return new DecisionPage(found, cursors, null);
        }
    }

    @Test
    void putsTheNewestOfAllNodesFirst() {
        Map<String, KeepingNode> nodes = Map.of(
                "node-0", new KeepingNode(List.of(record(5), record(1)), 100),
                "node-1", new KeepingNode(List.of(record(4), record(3)), 100));

        assertThat(seconds(page(nodes, null, 3).records())).containsExactly(5L, 4L, 3L);
    }

    @Test
    void goesOnBehindTheLastPage() {
        Map<String, KeepingNode> nodes = Map.of(
                "node-0", new KeepingNode(List.of(record(5), record(1)), 100),
                "node-1", new KeepingNode(List.of(record(4), record(3)), 100));

        DecisionPage second = page(nodes, page(nodes, null, 3).next(), 3);

        assertThat(seconds(second.records())).containsExactly(1L);
        assertThat(second.next()).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void showsEveryRecordOnceInOrderWhateverTheNodesAndPages(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, KeepingNode> nodes = new TreeMap<>();
        List<Long> all = new ArrayList<>();
        for (int node = random.nextInt(1, 5); node > 0; node--) {
            List<DecisionRecord> records = new ArrayList<>();
            for (int i = random.nextInt(40); i > 0; i--) {
                records.add(record(random.nextInt(1_000_000)));
            }
            records.sort(Comparator.comparing(DecisionRecord::at).reversed());
            all.addAll(seconds(records));
            nodes.put("node-" + node, new KeepingNode(records, random.nextInt(1, 60)));
        }
        all.sort(Comparator.reverseOrder());

        List<Long> shown = new ArrayList<>();
        String cursor = null;
        int pages = 0;
        do {
            DecisionPage page = page(nodes, cursor, random.nextInt(1, 12));
            shown.addAll(seconds(page.records()));
            cursor = page.next();
            pages++;
        } while (cursor != null && pages < 1_000);

        assertThat(shown).as("seed %d", seed).isEqualTo(all);
    }

    @Test
    void showsOnlyWhatIsOlderOfANodeThatAnswersLate() {
        KeepingNode first = new KeepingNode(List.of(record(9), record(7), record(5)), 100);
        KeepingNode late = new KeepingNode(List.of(record(8), record(6), record(4)), 100);

        DecisionPage without = page(Map.of("node-0", first), null, 2);
        DecisionPage both = page(Map.of("node-0", first, "node-1", late), without.next(), 10);

        assertThat(seconds(without.records())).containsExactly(9L, 7L);
        assertThat(seconds(both.records())).containsExactly(6L, 5L, 4L);
    }

    @Test
    void keepsThePlaceOfANodeThatFallsSilent() {
        KeepingNode first = new KeepingNode(List.of(record(9), record(7), record(5)), 100);
        KeepingNode silent = new KeepingNode(List.of(record(8), record(6), record(4)), 100);
        Map<String, KeepingNode> both = Map.of("node-0", first, "node-1", silent);

        DecisionPage start = page(both, null, 2);
        DecisionPage alone = page(Map.of("node-0", first), start.next(), 1);
        DecisionPage again = page(both, alone.next(), 10);

        assertThat(seconds(start.records())).containsExactly(9L, 8L);
        assertThat(seconds(alone.records())).containsExactly(7L);
        assertThat(seconds(again.records())).containsExactly(6L, 5L, 4L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "12-3", "1.2;", "1.2;node", "1.2;node:x", "1.2;node:1-2,", "x;node:1-2", "1.2;no de:1-2"})
    void refusesACursorOfSomethingElse(String cursor) {
        assertThatThrownBy(() -> DecisionPlace.parse(cursor))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cursor");
    }

    @Test
    void readsThePlaceThatItWrote() {
        DecisionPlace place = new DecisionPlace(START, Map.of("node-0", "12-5", "node.1_x", DecisionPlace.END));

        assertThat(DecisionPlace.parse(place.text())).isEqualTo(place);
        DecisionPlace nothingShown = new DecisionPlace(null, Map.of("node-0", "12-5"));
        assertThat(DecisionPlace.parse(nothingShown.text())).isEqualTo(nothingShown);
    }

    private static DecisionPage page(Map<String, KeepingNode> nodes, String cursor, int limit) {
        DecisionPlace place = DecisionPlace.parse(cursor);
        FindDecisions query = new FindDecisions(ACME, null, null, null, null, null, cursor, limit);
        Map<String, DecisionPage> answers = new HashMap<>();
        nodes.forEach((id, node) -> answers.put(id, node.answer(place.question(query, id))));
        return DecisionMerge.page(place, answers, limit);
    }

    private static List<Long> seconds(List<DecisionRecord> records) {
        return records.stream()
                .map(record -> record.at().getEpochSecond() - START.getEpochSecond())
                .toList();
    }

    private static DecisionRecord record(long second) {
        return new DecisionRecord(
                "0".repeat(32),
                START.plusSeconds(second),
                ACME,
                null,
                null,
                null,
                null,
                null,
                "ok",
                200,
                0,
                0,
                null,
                null,
                null,
                List.of(),
                null,
                null,
                List.of(),
                null,
                null,
                null,
                null,
                null);
    }
}
