/** The administration API over {@code io.sluice.control.api}. */
package io.sluice.graphql;
