package io.sluice.control.webhook;

import io.sluice.control.owner.Stored;
import io.sluice.plugins.bus.SoftStates;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The store of one node, which leaves word of its alerts to whichever node owns their tenant next: that one brings what is still on its way and
 * tells nothing again. Where a node dies between a delivery and that word, the event is delivered once more, under the same id:
 * receivers hear of everything at least once.
 */
public final class SharedAlertStore implements AlertStore {
    private static final long OPEN = 1;
    private static final long ENDED = 2;

    private final AlertStore own;
    private final Stored<Word> shared;
    private final Map<Alert.Key, Alert> underWay = new ConcurrentHashMap<>();

    /** @param outcome null while the alert is on its way */
    private record Word(Alert alert, Outcome outcome) {}

    /**
     * The store of this node.
     *
     * @param own on this node's disk; closed with this
     * @param states of the cluster
     */
    public SharedAlertStore(AlertStore own, SoftStates states) {
        this.own = own;
        shared = new Stored<>(states, "alerts", Word.class);
    }

    /** Takes in what other nodes left of alerts that are {@code mine} now. */
    Future<Void> adopt(Predicate<Alert.Key> mine) {
        return shared.all()
                .compose(words -> keep(words.stream()
                        .filter(word -> mine.test(word.alert().key()))
                        .sorted(Comparator.comparing(word -> word.alert().at()))
                        .toList()));
    }

    private Future<Void> keep(List<Word> words) {
        if (words.isEmpty()) {
            return Future.succeededFuture();
        }
        Future<Void> done = own.add(words.stream().map(Word::alert).toList());
        for (Word word : words) {
            if (word.outcome() != null) {
                done = done.compose(before -> own.ended(word.alert().key(), word.outcome()));
            }
        }
        return done;
    }

    @Override
    public Future<List<Alert>> told(Instant now) {
        return own.told(now);
    }

    /** Those that another node told already are only remembered. */
    @Override
    public Future<Void> add(List<Alert> alerts) {
        return shared.all().otherwise(List.of()).compose(words -> {
            Map<Alert.Key, Word> known = words.stream()
                    .collect(Collectors.toMap(word -> word.alert().key(), Function.identity(), (a, b) -> a));
            List<Word> all = new ArrayList<>();
            alerts.forEach(alert -> all.add(known.getOrDefault(alert.key(), new Word(alert, null))));
            return keep(all).onSuccess(kept -> {
                all.stream().filter(word -> word.outcome() == null).forEach(word -> leave(word, OPEN));
                shared.flush();
            });
        });
    }

    @Override
    public Future<List<Delivery>> due(Instant now) {
        shared.flush();
        return own.due(now)
                .onSuccess(due -> due.forEach(each -> underWay.put(each.alert().key(), each.alert())));
    }

    @Override
    public Future<Void> failed(Alert.Key key, int attempts, Instant next) {
        return own.failed(key, attempts, next);
    }

    @Override
    public Future<Void> ended(Alert.Key key, Outcome outcome) {
        return own.ended(key, outcome).onSuccess(stored -> {
            Alert alert = underWay.remove(key);
            if (alert != null) {
                leave(new Word(alert.withoutBody(), outcome), ENDED);
                shared.flush();
            }
        });
    }

    @Override
    public Future<Void> purge(Instant before) {
        return own.purge(before).compose(purged -> shared.all()).map(words -> {
            words.stream()
                    .filter(word ->
                            word.outcome() != null && word.alert().ends().isBefore(before))
                    .forEach(word -> shared.remove(name(word.alert().key())));
            return null;
        });
    }

    @Override
    public Future<Void> close() {
        return own.close();
    }

    private void leave(Word word, long version) {
        shared.later(name(word.alert().key()), version, word);
    }

    private static String name(Alert.Key key) {
        return String.join("|", key.owned(), key.webhook(), key.event());
    }
}
