/** Which configuration and weights this node serves: {@link io.sluice.data.snapshot.SnapshotActor}. */
package io.sluice.data.snapshot;
