package io.sluice.plugins.api;

import java.util.Optional;

/**
 * Whom one attempt asks.
 *
 * @param model what the provider calls the model
 * @param credential empty where the provider wants none
 * @param maxOutputTokens longest answer the model can give
 */
public record Upstream(String model, Optional<Secret> credential, int maxOutputTokens) {}
