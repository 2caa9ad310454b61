package io.sluice.data.money;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.CapTerms;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.ledger.TenantCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * The ledger's own classes, several nodes of them, under a network, a clock and disks that are not to be trusted. One seed is one
 * run. Every step is followed by a look at the invariants; {@link LedgerSimulationPropertyTest} says which.
 */
final class LedgerSimulation {
    /** What goes wrong in a run, and what is sabotaged to see that a run can fail. */
    record World(
            boolean unreliableNetwork,
            boolean crashes,
            boolean authorityForgets,
            boolean capChanges,
            boolean lowEstimates,
            boolean skewedClocks,
            boolean withoutFreeze,
            boolean grantsBeforeDurable,
            boolean shared,
            boolean blindSaves) {
        static World of(SplittableRandom random) {
            return new World(
                    random.nextInt(4) != 0,
                    random.nextInt(3) != 0,
                    random.nextInt(3) == 0,
                    random.nextInt(3) == 0,
                    random.nextInt(5) == 0,
                    random.nextInt(2) == 0,
                    false,
                    false,
                    false,
                    false);
        }

        /** The same with an authority on each node, over one store. */
        World onSharedStore() {
            return new World(
                    unreliableNetwork,
                    crashes,
                    authorityForgets,
                    capChanges,
                    lowEstimates,
                    skewedClocks,
                    withoutFreeze,
                    grantsBeforeDurable,
                    true,
                    blindSaves);
        }
    }

    /** Whoever answers for the caps. */
    interface Office {
        /** Takes a command of {@code from}; what it comes to is heard later, if at all. */
        void ask(SimulatedNode from, AuthorityCommand command);

        /** Once a second: closes what is over, and tells nodes how accounts stand. */
        void tick();

        /** Its last steps are gone. */
        void forget();

        /** All accounts as they are. */
        Collection<AccountState> states();
    }

    private static final TenantId TENANT = new TenantId("acme");
    private static final TenantCalendar CALENDAR = TenantCalendar.of(ZoneId.of("Africa/Cairo"));
    private static final Instant MIDNIGHT = Instant.parse("2026-04-23T22:00:00Z");

    /** Faults stop then, and requests. */
    private static final long BUSY_MS = 20_000;

    /** By then every request has ended, and idle slices went back. */
    private static final long CALM_MS = 45_000;

    /** Of the owner's look once a second, when nothing happens; shorter than {@code AccountDecider.GONE_AFTER}, of ten minutes. */
    private static final long CALM_TICK_MS = 240_000;

    private final SplittableRandom random;
    private final World world;
    private final Instant begin;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final Map<String, Long> limits = new LinkedHashMap<>();
    private final Map<AccountKey, Long> charged = new HashMap<>();
    private final Map<AccountKey, Long> errors = new HashMap<>();
    private final Map<AccountKey, Long> bounds = new HashMap<>();
    private final Map<AccountKey, AccountState> closed = new HashMap<>();
    private final Set<String> members = new HashSet<>();
    private final Map<Period, Instant> opens = new HashMap<>();
    private final Map<Period, Instant> ends = new HashMap<>();
    private final Office office;
    private long termsVersion = 1;
    private long nowMs;
    private long eventNo;
    private boolean calm;
    private boolean forgot;
    private int requests;
    private int admitted;
    private int drawnAhead;
    private boolean crashed;
    private boolean touched;

    private record Event(long atMs, long no, Runnable run) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atMs, other.atMs);
            return byTime != 0 ? byTime : Long.compare(no, other.no);
        }
    }

    LedgerSimulation(SplittableRandom random, World world) {
        this.random = random;
        this.world = world;
        this.begin = random.nextBoolean() ? MIDNIGHT.minusSeconds(random.nextInt(20)) : MIDNIGHT.minusSeconds(7_200);
        limits.put("tenant-day", 20_000L + random.nextInt(200_000));
        limits.put("tenant-month", 30_000L + random.nextInt(200_000));
        limits.put("app-day", 10_000L + random.nextInt(100_000));
        office = world.shared() ? new SharedOffice(this) : new OneOffice(this);
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            String name = "node-" + i;
            members.add(name);
            long skewMs = world.skewedClocks() ? random.nextLong(-600_000, 600_000) : 0;
            nodes.add(new SimulatedNode(this, name, Duration.ofMillis(skewMs)));
        }
    }

    /** Runs to the end; throws {@link AssertionError} where an invariant is broken. */
    void run() {
        nodes.forEach(SimulatedNode::start);
        every(1_000, () -> true, office::tick);
        nodes.forEach(node -> after(random.nextInt(200), () -> arrive(node)));
        if (world.crashes() || world.authorityForgets() || world.capChanges()) {
            after(random.nextInt(2_000), this::trouble);
        }
        runUntil(BUSY_MS);
        calm = true;
        nodes.forEach(SimulatedNode::comeBack);
        runUntil(BUSY_MS + CALM_MS);
        quiet();
        runUntil(nowMs + 29 * 3_600_000L);
        allDaysClosed();
    }

    private void runUntil(long endMs) {
        while (!events.isEmpty() && events.peek().atMs() <= endMs) {
            Event event = events.poll();
            nowMs = event.atMs();
            event.run().run();
            check();
        }
        nowMs = endMs;
    }

    long nowMs() {
        return nowMs;
    }

    Instant now() {
        return begin.plusMillis(nowMs);
    }

    boolean calm() {
        return calm;
    }

    SplittableRandom random() {
        return random;
    }

    World world() {
        return world;
    }

    void after(long delayMs, Runnable run) {
        events.add(new Event(nowMs + delayMs, eventNo++, run));
    }

    /**
     * More rarely when nothing happens any more, so that a day passes in some thousand steps; but a node has its turn, and more than
     * one, in the time after which it counts as gone.
     */
    void every(long periodMs, BooleanSupplier still, Runnable run) {
        after(periodMs, () -> {
            if (still.getAsBoolean()) {
                run.run();
                every(nowMs > BUSY_MS + CALM_MS ? CALM_TICK_MS : 1_000, still, run);
            }
        });
    }

    // The authority and the way to it.

    CapTerms terms(AccountKey account) {
        Long limit = limits.get(account.capId());
        return new CapTerms(
                termsVersion,
                limit != null,
                limit == null ? 0 : limit,
                opens.computeIfAbsent(account.period(), CALENDAR::beginOf),
                ends.computeIfAbsent(account.period(), CALENDAR::endOf));
    }

    long termsVersion() {
        return termsVersion;
    }

    Instant begin() {
        return begin;
    }

    Set<String> members() {
        return members;
    }

    List<SimulatedNode> nodes() {
        return nodes;
    }

    /** A command on its way; what becomes of it is the office's matter. */
    void toAuthority(SimulatedNode from, AuthorityCommand command) {
        office.ask(from, command);
    }

    /** On its way between {@code node} and another machine it may be lost, come twice, and be overtaken. */
    void travel(SimulatedNode node, Runnable arrival) {
        int copies = 1;
        if (world.unreliableNetwork() && !calm) {
            int luck = random.nextInt(20);
            copies = node.cutOff() || luck < 2 ? 0 : luck < 5 ? 2 : 1;
        }
        for (int i = 0; i < copies; i++) {
            after(delay(), arrival);
        }
    }

    /** As {@link #travel}, over a connection: at most once. */
    void connected(SimulatedNode node, Runnable arrival) {
        boolean lost = world.unreliableNetwork() && !calm && (node.cutOff() || random.nextInt(20) == 0);
        if (!lost) {
            after(delay(), arrival);
        }
    }

    private long delay() {
        if (!world.unreliableNetwork() || calm) {
            return 1;
        }
        return random.nextInt(50) == 0 ? random.nextInt(8_000) : random.nextInt(1, 60);
    }

    /**
     * A step of an account has been made.
     *
     * @param before null where nothing was known of it
     */
    void stepped(AccountState before, AccountState state) {
        AccountKey account = state.account();
        long known = before == null ? -1 : before.version();
        if (known != state.version()) {
            long floor = Math.max(state.limitMicros(), state.committedMicros());
            bounds.merge(account, floor, forgot ? Math::max : (old, now) -> now);
        }
        AccountState first = closed.get(account);
        if (first != null && !forgot && !first.equals(state)) {
            throw new AssertionError("I7: a closed day changed: " + first + " to " + state);
        }
        if (state.closed()) {
            closed.putIfAbsent(account, state);
        }
    }

    // What goes wrong.

    private void trouble() {
        if (calm) {
            return;
        }
        int kind = random.nextInt(4);
        if (kind == 0 && world.crashes()) {
            crashed = true;
            nodes.get(random.nextInt(nodes.size())).crash();
        } else if (kind == 1 && world.authorityForgets()) {
            forgot = true;
            office.forget();
        } else if (kind == 2 && world.capChanges()) {
            changeCap();
        } else if (kind == 3 && world.unreliableNetwork()) {
            nodes.get(random.nextInt(nodes.size())).cut(random.nextInt(10_000));
        }
        after(random.nextInt(3_000), this::trouble);
    }

    private void changeCap() {
        List<String> ids = List.of("tenant-day", "tenant-month", "app-day");
        String id = ids.get(random.nextInt(ids.size()));
        termsVersion++;
        int how = random.nextInt(5);
        if (how == 0) {
            limits.remove(id);
        } else if (how == 1) {
            limits.put(id, 0L);
        } else {
            limits.put(id, (long) random.nextInt(250_000));
        }
    }

    // Requests.

    private void arrive(SimulatedNode node) {
        if (calm) {
            return;
        }
        node.request("r" + requests++, accounts(node), 1 + random.nextInt(random.nextInt(4) == 0 ? 20_000 : 2_000));
        after(random.nextInt(1, 400), () -> arrive(node));
    }

    private List<AccountKey> accounts(SimulatedNode node) {
        Instant there = node.believedNow();
        AccountKey day = account("tenant-day", CapPeriod.DAY, there);
        AccountKey month = account("tenant-month", CapPeriod.MONTH, there);
        return random.nextBoolean()
                ? List.of(account("app-day", CapPeriod.DAY, there), day, month)
                : List.of(day, month);
    }

    private static AccountKey account(String cap, CapPeriod kind, Instant at) {
        return new AccountKey(TENANT, cap, CALENDAR.periodAt(kind, at));
    }

    /** The provider charges, whatever becomes of the node. */
    void charge(List<AccountKey> accounts, long micros, long error) {
        admitted++;
        for (AccountKey account : accounts) {
            charged.merge(account, micros, Math::addExact);
            errors.merge(account, error, Math::addExact);
        }
    }

    /** Something of a node's has changed. */
    void touched() {
        touched = true;
    }

    int admitted() {
        return admitted;
    }

    /** A node asks; the first slice of a period that nobody needs yet is one that it draws around midnight. */
    void asked(AuthorityCommand command) {
        if (command instanceof AuthorityCommand.Grant grant && grant.seq() == 1 && grant.needMicros() == 0) {
            if (CALENDAR.beginOf(grant.account().period()).isAfter(now().plusSeconds(3)) && !world.skewedClocks()) {
                throw new AssertionError("a slice of " + grant.account() + " was asked for at " + now());
            }
            drawnAhead++;
        }
    }

    /** First slices that were asked for before a request needed them. */
    int drawnAhead() {
        return drawnAhead;
    }

    // Invariants.

    private void check() {
        if (!touched) {
            return;
        }
        touched = false;
        charged.forEach((account, micros) -> {
            long bound = bounds.getOrDefault(account, 0L) + errors.get(account);
            if (micros > bound) {
                throw new AssertionError("I1: " + account + " charged " + micros + " of " + bound);
            }
            AccountState end = closed.get(account);
            long known = end == null ? 0 : end.spentMicros() + end.burnedMicros();
            for (SimulatedNode node : nodes) {
                known += end == null ? node.knownMicros(account) : 0;
            }
            if (known + errors.get(account) < micros) {
                throw new AssertionError("I4: " + account + " charged " + micros + ", known " + known);
            }
        });
    }

    /** Requests have ended and everybody can speak to everybody for a while. */
    private void quiet() {
        nodes.forEach(SimulatedNode::checkJournal);
        for (AccountState state : office.states()) {
            AccountKey account = state.account();
            if (state.closed()) {
                continue;
            }
            if (state.heldMicros() != 0) {
                throw new AssertionError("I6: held " + state.heldMicros() + " with nobody there: " + state);
            }
            long free = 0;
            long settled = 0;
            for (SimulatedNode node : nodes) {
                free += node.balanceMicros(account);
                settled += node.journaledMicros(account);
            }
            long escrow = state.committedMicros() - state.spentMicros() - state.burnedMicros();
            if (escrow != free) {
                throw new AssertionError("I6: " + account + " slices are " + free + ", granted " + escrow);
            }
            if (state.spentMicros() != settled) {
                throw new AssertionError("I3: " + account + " spent " + state.spentMicros() + ", journals " + settled);
            }
            long cost = charged.getOrDefault(account, 0L);
            if (!crashed && (state.spentMicros() != cost || state.burnedMicros() != 0)) {
                throw new AssertionError("I5: " + account + " spent " + state.spentMicros() + " burned "
                        + state.burnedMicros() + " charged " + cost);
            }
        }
    }

    private void allDaysClosed() {
        for (AccountState state : office.states()) {
            boolean over = state.ends().plusSeconds(7_200).isBefore(now());
            if (over && !state.closed()) {
                throw new AssertionError("I7: the day is over and not closed: " + state);
            }
        }
    }
}
