/** What operators see of the data plane: {@link io.sluice.data.seeing.RequestMeters}. */
package io.sluice.data.seeing;
