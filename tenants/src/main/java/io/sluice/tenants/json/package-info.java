/** How the domain's records become JSON and come back: one strict mapper, sealed types list their own subtypes. */
package io.sluice.tenants.json;
