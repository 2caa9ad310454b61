package io.sluice.control.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.AuditEntry;
import io.sluice.tenants.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The hash chain of the audit log: each hash covers the one before and every member of the entry, so that a change anywhere
 * shows in everything after it. Pure.
 */
final class AuditChain {
    /** What stands before the first entry. */
    static final String START = "0".repeat(64);

    private AuditChain() {}

    /** {@code line} as the entry that follows the one with hash {@code before}. */
    static AuditEntry entry(long id, AuditLine line, String before) {
        String detail = text(line.detail());
        String tenant = line.tenant() == null ? "" : line.tenant().value();
        String hash =
                hash(before, id, line.at().toString(), tenant, line.actor(), line.action(), line.subject(), detail);
        return new AuditEntry(
                id, line.at(), line.tenant(), line.actor(), line.action(), line.subject(), line.detail(), hash);
    }

    /** SHA-256 over the hash before and the members as stored; each is preceded by its length, so that none can slide. */
    static String hash(String before, long id, String... members) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(before.getBytes(StandardCharsets.US_ASCII));
            digest.update((id + ":").getBytes(StandardCharsets.US_ASCII));
            for (String member : members) {
                byte[] bytes = member.getBytes(StandardCharsets.UTF_8);
                digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
                digest.update(bytes);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException everyPlatformMustHaveIt) {
            throw new IllegalStateException(everyPlatformMustHaveIt);
        }
    }

    static String text(JsonNode detail) {
        try {
            return StrictJson.MAPPER.writeValueAsString(detail);
        } catch (JsonProcessingException neverForTrees) {
            throw new IllegalStateException(neverForTrees);
        }
    }
}
