package io.sluice.control.api;

/**
 * Asks that every rung of a ladder be called once.
 *
 * @param prompt what the models are asked; null means a few words that cost next to nothing
 */
public record VerifyQuery(String tenantId, String scenario, String prompt) {}
