package io.sluice.ops.hazelcast;

import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/** Makes what members send each other of soft states by number, so that no class is named on the wire. */
final class SoftStateTypes implements DataSerializableFactory {
    static final int FACTORY = 1;
    static final int STATE = 1;
    static final int KEEP_NEWER = 2;

    @Override
    public IdentifiedDataSerializable create(int type) {
        return switch (type) {
            case STATE -> new StoredState();
            case KEEP_NEWER -> new KeepNewer();
            default -> null;
        };
    }
}
