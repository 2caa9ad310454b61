package io.sluice.plugins.bus;

import io.sluice.tenants.NodeRole;
import io.sluice.tenants.message.BusMessage;
import io.vertx.core.Future;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Asks many nodes at once and takes what comes in time. A node that let three questions time out is left out for ten seconds.
 * Thread-safe.
 */
public final class Peers {
    private final Bus bus;
    private final String node;
    private final Supplier<Set<String>> nodes;
    private final Duration timeout;
    private final LongSupplier clockMs;
    private final Map<String, Patience> patience = new ConcurrentHashMap<>();

    /**
     * All nodes that {@code owners} know.
     *
     * @param timeout of each question
     * @param clockMs any clock that only goes forward
     */
    public Peers(Bus bus, Owners owners, Duration timeout, LongSupplier clockMs) {
        this(bus, owners.node(), owners::nodes, timeout, clockMs);
    }

    private Peers(Bus bus, String node, Supplier<Set<String>> nodes, Duration timeout, LongSupplier clockMs) {
        this.bus = bus;
        this.node = node;
        this.nodes = nodes;
        this.timeout = timeout;
        this.clockMs = clockMs;
    }

    /** Likewise those nodes only that have {@code role}. */
    public static Peers of(NodeRole role, Bus bus, Owners owners, Duration timeout, LongSupplier clockMs) {
        return new Peers(bus, owners.node(), () -> owners.nodes(role), timeout, clockMs);
    }

    /**
     * What came.
     *
     * @param byNode answers by node id
     * @param silent why a node did not answer, or was not asked, by node id
     */
    public record Answers<R>(Map<String, R> byNode, Map<String, Throwable> silent) {
        public Answers {
            byNode = Map.copyOf(byNode);
            silent = Map.copyOf(silent);
        }
    }

    /** Asks every one of the nodes, this one too; never fails. {@code address} and {@code question} are made for each node's id. */
    public <M extends BusMessage, R extends BusMessage> Future<Answers<R>> all(
            Function<String, Address<M>> address, Function<String, M> question, Class<R> type) {
        return ask(nodes.get(), address, question, type);
    }

    /** Asks every one of the nodes but this one; never fails. */
    public <M extends BusMessage, R extends BusMessage> Future<Answers<R>> others(
            Function<String, Address<M>> address, Function<String, M> question, Class<R> type) {
        return ask(nodes.get().stream().filter(each -> !each.equals(node)).toList(), address, question, type);
    }

    private <M extends BusMessage, R extends BusMessage> Future<Answers<R>> ask(
            Collection<String> asked,
            Function<String, Address<M>> address,
            Function<String, M> question,
            Class<R> type) {
        patience.keySet().retainAll(nodes.get());
        Map<String, R> answers = new TreeMap<>();
        Map<String, Throwable> silent = new TreeMap<>();
        List<Future<Void>> questions = asked.stream()
                .map(node -> one(node, address.apply(node), question.apply(node), type)
                        .<Void>transform(answer -> {
                            synchronized (answers) {
                                if (answer.succeeded()) {
                                    answers.put(node, answer.result());
                                } else {
                                    silent.put(node, answer.cause());
                                }
                            }
                            return Future.succeededFuture();
                        }))
                .toList();
        return Future.join(questions).map(done -> {
            synchronized (answers) {
                return new Answers<>(answers, silent);
            }
        });
    }

    private <M extends BusMessage, R extends BusMessage> Future<R> one(
            String node, Address<M> address, M question, Class<R> type) {
        if (!patience.getOrDefault(node, Patience.NEW).asks(clockMs.getAsLong())) {
            return Future.failedFuture("node " + node + " did not answer before");
        }
        return bus.request(address, question, type, timeout)
                .onSuccess(answer -> note(node, false))
                .onFailure(failure -> note(
                        node, failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.TIMEOUT));
    }

    private void note(String node, boolean timedOut) {
        patience.compute(node, (id, before) -> {
            Patience present = before == null ? Patience.NEW : before;
            return present.next(timedOut, clockMs.getAsLong());
        });
    }
}
