package io.sluice.control.secret;

import io.sluice.control.config.DecisionContext.Sealer;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.key.KeyHasher;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals credentials with AES-256-GCM and hashes keys, each under a key of its own derived from the server's one secret.
 * A sealed text is bound to its owner and provider: moved to another row it can not be opened. Thread-safe.
 */
public final class SecretBox implements Sealer {
    /** Of GCM, bytes: the length it was made for (NIST SP 800-38D). */
    private static final int NONCE_BYTES = 12;

    private static final int TAG_BITS = 128;

    private final SecureRandom random = new SecureRandom();
    private final SecretKeySpec sealingKey;
    private final KeyHasher keyHasher;
    private final KeyHasher fingerprints;
    private final String check;

    /** A box whose keys are derived from {@code serverSecret}. */
    public SecretBox(ServerSecret serverSecret) {
        KeyHasher derive = new KeyHasher(serverSecret.bytes());
        sealingKey = new SecretKeySpec(derive.hash("sluice sealing key 1"), "AES");
        keyHasher = new KeyHasher(derive.hash("sluice key hash 1"));
        fingerprints = new KeyHasher(derive.hash("sluice fingerprints 1"));
        check = derive.hex("sluice check 1");
    }

    /** Tells whether a store was written under this secret, and nothing else of it. */
    public String check() {
        return check;
    }

    /** Hashes API keys and access tokens. */
    public KeyHasher keyHasher() {
        return keyHasher;
    }

    /** Twelve hex digits by which people can tell whether two secrets are the same; nothing of the secret is in it. */
    public String fingerprint(String secret) {
        return fingerprints.hex(secret).substring(0, 12);
    }

    @Override
    public CredentialRef.Sealed seal(TenantId owner, String provider, String credential) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, nonce, owner, provider);
            byte[] text = cipher.doFinal(credential.getBytes(StandardCharsets.UTF_8));
            byte[] both = Arrays.copyOf(nonce, NONCE_BYTES + text.length);
            System.arraycopy(text, 0, both, NONCE_BYTES, text.length);
            return new CredentialRef.Sealed(Base64.getEncoder().encodeToString(both));
        } catch (GeneralSecurityException everyPlatformMustHaveIt) {
            throw new IllegalStateException(everyPlatformMustHaveIt);
        }
    }

    /** The credential; empty where it was sealed under another secret, for another provider, or was changed. */
    public Optional<String> open(TenantId owner, String provider, CredentialRef.Sealed sealed) {
        try {
            byte[] both = Base64.getDecoder().decode(sealed.ciphertext());
            byte[] nonce = Arrays.copyOf(both, NONCE_BYTES);
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, nonce, owner, provider);
            byte[] text = cipher.doFinal(both, NONCE_BYTES, both.length - NONCE_BYTES);
            return Optional.of(new String(text, StandardCharsets.UTF_8));
        } catch (GeneralSecurityException | IllegalArgumentException notSealedHere) {
            return Optional.empty();
        }
    }

    @Override
    public boolean holds(TenantId owner, String provider, CredentialRef.Sealed sealed, String credential) {
        return open(owner, provider, sealed)
                .map(opened -> MessageDigest.isEqual(
                        opened.getBytes(StandardCharsets.UTF_8), credential.getBytes(StandardCharsets.UTF_8)))
                .orElse(false);
    }

    private Cipher cipher(int mode, byte[] nonce, TenantId owner, String provider) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, sealingKey, new GCMParameterSpec(TAG_BITS, nonce));
        String bound = (owner == null ? "" : owner.value()) + "|" + provider;
        cipher.updateAAD(bound.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
