/** The tenant that {@code up} shows Sluice with. Open {@link io.sluice.ops.demo.Demo}. */
package io.sluice.ops.demo;
