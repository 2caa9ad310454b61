package io.sluice.control.webhook;

import java.time.Instant;

/**
 * That an event was not confirmed in time.
 *
 * @param attempts all of which failed
 * @param why the last one failed
 */
public record GivenUp(Alert alert, int attempts, String why, Instant at) {}
