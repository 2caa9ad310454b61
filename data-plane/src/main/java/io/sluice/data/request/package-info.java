/**
 * The life of one request on the data plane. Open {@link io.sluice.data.request.RequestPipeline}: it names the steps in their
 * order; each step takes the record that the step before it made.
 */
package io.sluice.data.request;
