/**
 * A whole data plane between scripted upstreams and raw clients, for tests. {@link io.sluice.data.harness.TestGateway} starts it,
 * {@link io.sluice.data.harness.ScriptedUpstream} plays any byte sequence, {@link io.sluice.data.harness.Client} calls it.
 */
package io.sluice.data.harness;
