/**
 * What nodes of a cluster know of each other, by Hazelcast; the only package that knows it. {@link
 * io.sluice.ops.hazelcast.HazelcastNode} is one member's life; the adapters are named after their ports.
 */
package io.sluice.ops.hazelcast;
