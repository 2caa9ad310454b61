/** A small binary form for what is written once per request: numbers as long as they need to be, texts said once. */
package io.sluice.tenants.packed;
