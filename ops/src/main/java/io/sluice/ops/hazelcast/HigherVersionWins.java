package io.sluice.ops.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.merge.MergingValue;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;

/** Which state stays where two parts of a cluster meet again: the one that changed more often. Made by Hazelcast, by name. */
public final class HigherVersionWins implements SplitBrainMergePolicy<Object, MergingValue<Object>, Object> {
    @Override
    public Object merge(MergingValue<Object> merging, MergingValue<Object> existing) {
        if (existing == null) {
            return merging.getRawValue();
        }
        StoredState theirs = (StoredState) merging.getValue();
        StoredState ours = (StoredState) existing.getValue();
        return theirs.version() > ours.version() ? merging.getRawValue() : existing.getRawValue();
    }

    @Override
    public void writeData(ObjectDataOutput out) {
        // it has nothing to tell
    }

    @Override
    public void readData(ObjectDataInput in) {
        // nor to hear
    }
}
