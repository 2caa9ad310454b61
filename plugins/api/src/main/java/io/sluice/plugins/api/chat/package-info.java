/**
 * The canonical chat request: bytes as they came, scanned once, plus what Sluice needs to know of them. Open
 * {@link io.sluice.plugins.api.chat.ChatRequest}.
 */
package io.sluice.plugins.api.chat;
