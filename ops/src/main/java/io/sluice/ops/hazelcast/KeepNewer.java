package io.sluice.ops.hazelcast;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.Map;

/**
 * Keeps a state where none of the same or a higher version is. Applying it twice is applying it once, so that Hazelcast may repeat
 * it. It must mean the same in every release: nodes of two releases run it on each other's entries.
 */
final class KeepNewer implements EntryProcessor<String, StoredState, Void>, IdentifiedDataSerializable {
    private static final long serialVersionUID = 1L;

    private transient StoredState state;

    /** To be read into. */
    KeepNewer() {}

    KeepNewer(StoredState state) {
        this.state = state;
    }

    @Override
    public Void process(Map.Entry<String, StoredState> entry) {
        StoredState before = entry.getValue();
        if (before == null || before.version() < state.version()) {
            entry.setValue(state);
        }
        return null;
    }

    @Override
    public int getFactoryId() {
        return SoftStateTypes.FACTORY;
    }

    @Override
    public int getClassId() {
        return SoftStateTypes.KEEP_NEWER;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeObject(state);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        state = in.readObject();
    }
}
