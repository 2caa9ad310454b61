/**
 * Where configuration, keys and the audit log survive a crash. Open {@link io.sluice.control.store.ConfigStore}.
 */
package io.sluice.control.store;
