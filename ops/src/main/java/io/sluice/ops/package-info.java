/** The one place that sees every module: command line, assembly and the tests of the whole. */
package io.sluice.ops;
