/** Exact money: micro-units, prices per million tokens, disjoint token classes. Open {@link io.sluice.tenants.money.Price}. */
package io.sluice.tenants.money;
