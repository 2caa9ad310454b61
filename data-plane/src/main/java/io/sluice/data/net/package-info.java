/** What connections of both sides have in common, callers' and upstreams'. */
package io.sluice.data.net;
