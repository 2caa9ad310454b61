package io.sluice.tenants.config;

import io.sluice.tenants.json.JsonSubtypes;

/**
 * Where a provider's credential is found. It never holds the credential in the clear, so it may be stored and compared.
 */
@JsonSubtypes
public sealed interface CredentialRef {
    /** An environment variable of the process. */
    record Env(String name) implements CredentialRef {}

    /** A file, read again at most once a minute. */
    record File(String path) implements CredentialRef {}

    /** The value itself, sealed with the server's secret: base64 of nonce and AES-256-GCM ciphertext. */
    record Sealed(String ciphertext) implements CredentialRef {
        @Override
        public String toString() {
            return "Sealed[***]";
        }
    }
}
