package io.sluice.ops.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import io.sluice.plugins.bus.SoftStates.Versioned;
import java.io.IOException;

/** A soft state as it is kept. Never changes once it is read. */
final class StoredState implements IdentifiedDataSerializable {
    private long version;
    private String json;

    /** To be read into. */
    StoredState() {}

    StoredState(Versioned state) {
        version = state.version();
        json = state.json();
    }

    Versioned state() {
        return new Versioned(version, json);
    }

    long version() {
        return version;
    }

    @Override
    public int getFactoryId() {
        return SoftStateTypes.FACTORY;
    }

    @Override
    public int getClassId() {
        return SoftStateTypes.STATE;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeLong(version);
        out.writeString(json);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        version = in.readLong();
        json = in.readString();
    }
}
