/** Declared configuration, keys and audit, and the snapshots that the data plane serves from. */
package io.sluice.control;
