package io.sluice.control.api;

/**
 * One object that changed.
 *
 * @param kind such as {@code provider} or {@code scenario}
 * @param change {@code created}, {@code updated} or {@code unchanged}
 */
public record ConfigChange(String kind, String id, String change) {}
