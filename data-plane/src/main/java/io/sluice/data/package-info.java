/**
 * The data plane: takes requests, decides who answers, keeps the answer's contract. The hot path reads an immutable snapshot
 * and counters; it never waits for an actor. Open {@link io.sluice.data.request.RequestPipeline} first, then
 * {@link io.sluice.data.request.Descent}.
 */
package io.sluice.data;
