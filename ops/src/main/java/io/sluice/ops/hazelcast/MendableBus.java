package io.sluice.ops.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import io.vertx.core.Completable;
import io.vertx.core.spi.cluster.RegistrationInfo;
import io.vertx.core.spi.cluster.RegistrationListener;
import io.vertx.core.spi.cluster.RegistrationUpdateEvent;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Vert.x's event bus over Hazelcast, which can be mended. Vert.x 5.0 remembers for each address which nodes have handlers and learns of
 * changes by events only: who misses one sends past that node for good, also when it registers again, since nothing changes by that.
 * Thread-safe.
 */
class MendableBus extends HazelcastClusterManager {
    private static final Logger LOG = LoggerFactory.getLogger(MendableBus.class);

    /** Where Vert.x keeps who has handlers of which address. */
    private static final String HANDLERS = "__vertx.subs";

    /** Handlers come and go seldom; what changes more often is told by events again. */
    private static final int LOOKS_MAX = 5;

    /** Each may take the five seconds that Hazelcast waits for a confirmation. */
    private static final int TRIES_MAX = 3;

    private volatile RegistrationListener listener;

    MendableBus(HazelcastInstance hazelcast) {
        super(hazelcast);
    }

    @Override
    public void registrationListener(RegistrationListener told) {
        listener = told;
        super.registrationListener(told);
    }

    /**
     * Tries again where members that came or went meanwhile have not confirmed it: a registration is an entry of a set, and putting it
     * twice changes nothing. A node that starts beside others would not start else.
     */
    @Override
    public void addRegistration(String address, RegistrationInfo info, Completable<Void> done) {
        add(address, info, done, TRIES_MAX);
    }

    private void add(String address, RegistrationInfo info, Completable<Void> done, int tries) {
        super.addRegistration(address, info, (added, failure) -> {
            if (failure == null) {
                done.succeed();
            } else if (tries <= 1) {
                done.fail(failure);
            } else {
                LOG.warn("the handler of {} could not be registered; that is tried again", address, failure);
                add(address, info, done, tries - 1);
            }
        });
    }

    /**
     * Registers this node's handlers anew, as Vert.x does where two parts of a cluster become one, and looks anew for everybody's. The
     * first blocks until other members have answered, the second is under way when this returns.
     */
    void mend() {
        stateChanged(new LifecycleEvent(LifecycleState.MERGED));
        for (Object address : getHazelcastInstance().getMultiMap(HANDLERS).keySet()) {
            if (listener.wantsUpdatesFor(address.toString())) {
                look(address.toString(), null, LOOKS_MAX);
            }
        }
    }

    /** Looks again until nothing has changed: else an event that came in between could be undone by what was read before it. */
    private void look(String address, Set<RegistrationInfo> before, int looks) {
        getRegistrations(address, (found, failure) -> {
            if (failure != null) {
                LOG.debug("who handles {} is not known now", address, failure);
            } else if (!Set.copyOf(found).equals(before) && looks > 0) {
                listener.registrationsUpdated(new RegistrationUpdateEvent(address, found));
                look(address, Set.copyOf(found), looks - 1);
            }
        });
    }
}
