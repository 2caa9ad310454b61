/** What the planes say to each other: records of one sealed type, sent over the typed bus. */
package io.sluice.tenants.message;
