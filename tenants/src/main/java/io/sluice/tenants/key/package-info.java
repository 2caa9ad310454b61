/** What API keys and access tokens look like and how they are hashed. Open {@link io.sluice.tenants.key.KeyFormat}. */
package io.sluice.tenants.key;
