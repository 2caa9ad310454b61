/**
 * The public bug reports and the bad-input catalogue as tests, each named by the id of its row. One gateway serves a whole class
 * where it can.
 */
package io.sluice.data.cases;
