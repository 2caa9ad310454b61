package io.sluice.data.request;

import io.sluice.tenants.routing.CompiledKey;
import io.sluice.tenants.routing.CompiledTenant;

/** Who is asking, as proven by an API key. */
public record Caller(Arrival arrival, CompiledKey key, CompiledTenant tenant) {}
