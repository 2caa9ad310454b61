/**
 * Who may send how much: limits on requests a minute, tokens a minute and requests at once, at several levels of which all must
 * admit a request. Start with {@link io.sluice.tenants.limit.LimitDecider}; the counters belong to the data plane.
 */
package io.sluice.tenants.limit;
