/** Counting tokens of texts, where a bound by bytes would cost a request its answer: {@link io.sluice.data.tokens.TokenCounter}. */
package io.sluice.data.tokens;
