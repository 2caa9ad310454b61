/** Which addresses an upstream may have, judged without any look-up. Open {@link io.sluice.tenants.net.AddressRule}. */
package io.sluice.tenants.net;
