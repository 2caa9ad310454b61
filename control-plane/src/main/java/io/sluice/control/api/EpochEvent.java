package io.sluice.control.api;

import java.time.Instant;

/** A configuration epoch began. */
public record EpochEvent(long epoch, Instant at, String cause) {}
