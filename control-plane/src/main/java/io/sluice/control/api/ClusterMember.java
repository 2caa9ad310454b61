package io.sluice.control.api;

import java.time.Instant;
import java.util.List;

/** One node and what it serves. */
public record ClusterMember(String id, List<String> roles, long appliedEpoch, Instant since) {}
