/**
 * Cases of public bug reports and of the bad-input catalogue, played through a whole data plane. A test is named by the id of
 * its row; {@link io.sluice.data.cases.Rig} is what they all stand on.
 */
package io.sluice.data.cases;
