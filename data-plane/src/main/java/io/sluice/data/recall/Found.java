package io.sluice.data.recall;

import io.sluice.tenants.recall.IdempotencyDecider.Input;
import io.sluice.tenants.recall.IdempotencyDecider.Verdict;

/**
 * What was found under a key.
 *
 * @param input what the verdict followed from
 * @param answer to be replayed; null with every other verdict
 */
public record Found(Input input, Verdict verdict, KeptAnswer answer) {}
