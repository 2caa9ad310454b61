/** What someone outside may implement: providers as pure codecs, their registry, and the typed bus. */
package io.sluice.plugins.api;
