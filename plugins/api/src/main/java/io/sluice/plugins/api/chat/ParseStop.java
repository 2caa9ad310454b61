package io.sluice.plugins.api.chat;

import io.sluice.tenants.failure.Refusal;

/** Ends a parse at the first mistake; carries what the caller is told. Never leaves this package. */
final class ParseStop extends Exception {
    private static final long serialVersionUID = 1;

    private final Refusal refusal;
    private final String param;

    ParseStop(Refusal refusal, String message, String param) {
        super(message, null, false, false);
        this.refusal = refusal;
        this.param = param;
    }

    /** An ordinary mistake in a member. */
    static ParseStop invalid(String param, String message) {
        return new ParseStop(Refusal.INVALID_REQUEST, param + " " + message, param);
    }

    ChatParse.Refused refused() {
        return new ChatParse.Refused(refusal, getMessage(), param);
    }
}
