package io.sluice.ops.redis;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.HolderState;

/** An account's state as the text that Redis keeps: JSON, with a holder as a row of values, since a month has many of them. */
final class LedgerText {
    private static final ObjectMapper MAPPER = StrictJson.MAPPER.copy().addMixIn(HolderState.class, Row.class);

    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({
        "grantedMicros",
        "returnedMicros",
        "escrowMicros",
        "heldMicros",
        "spentMicros",
        "burnedMicros",
        "finished",
        "no",
        "grantSeq",
        "grantMicros",
        "heardAt"
    })
    private interface Row {}

    private LedgerText() {}

    static String of(AccountState state) {
        try {
            return MAPPER.writeValueAsString(state);
        } catch (JsonProcessingException brokenRecord) {
            throw new IllegalStateException(brokenRecord);
        }
    }

    static AccountState read(AccountKey account, String text) {
        try {
            return MAPPER.readValue(text, AccountState.class);
        } catch (JsonProcessingException unreadable) {
            throw new StoreException("the ledger's account " + account + " can not be read", unreadable);
        }
    }
}
