package io.sluice.control.api;

import io.sluice.tenants.drill.Proof;
import java.time.Instant;

/**
 * Whether one rung is known to answer (requirement C5).
 *
 * @param lastProvenAt when it last answered; null where it never did
 * @param how it did; null where it never did
 * @param unproven whether that is too long ago to rely on it, or never was
 */
public record RungReport(String scenario, String step, Instant lastProvenAt, Proof how, boolean unproven) {}
