package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Where a tenant's finance wants to be told how its caps and balances stand.
 *
 * @param url where events are posted; whoever knows it may be able to post there too, so it is shown to those only who may write it
 * @param secret signs each event
 * @param thresholds shares of a cap's limit that are told when they are reached, above 0 and at most 1, ascending
 * @param enabled whether anything is posted
 * @param removedAt when it was removed; null while it is there
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WebhookConfig(
        String id,
        int version,
        String url,
        CredentialRef.Sealed secret,
        List<Double> thresholds,
        boolean enabled,
        Instant removedAt) {
    public WebhookConfig {
        Objects.requireNonNull(id);
        Objects.requireNonNull(url);
        Objects.requireNonNull(secret);
        thresholds = List.copyOf(thresholds);
    }

    /** Whether it is no longer there. */
    @JsonIgnore
    public boolean removed() {
        return removedAt != null;
    }

    /** Whether anything is posted to it. */
    @JsonIgnore
    public boolean active() {
        return enabled && removedAt == null;
    }

    /** The same webhook, which is told nothing from {@code at} on. */
    public WebhookConfig removed(Instant at) {
        return new WebhookConfig(id, version + 1, url, secret, thresholds, enabled, at);
    }

    @Override
    public String toString() {
        return "WebhookConfig[" + id + "]";
    }
}
