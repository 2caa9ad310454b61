package io.sluice.graphql;

import io.sluice.control.api.Principal;
import java.util.function.BooleanSupplier;

/**
 * Who sent a document; lies in the GraphQL context under this class.
 *
 * @param requestId told to the caller and logged with faults
 * @param stillValid whether the token would be accepted now; asked before each event of a subscription
 */
record Caller(Principal principal, String requestId, BooleanSupplier stillValid) {}
