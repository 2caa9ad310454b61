package io.sluice.control.webhook;

import io.sluice.tenants.TenantId;
import java.time.Instant;
import java.util.Objects;

/**
 * An event for one webhook, with the very text that is posted, so that repeats are alike to the byte.
 *
 * @param subject what it is about, such as a cap in a period
 * @param what happened to it; two alerts of the same subject with the same {@code what} are one, but for bands, which come and go
 * @param at when it was noticed
 * @param ends when it may be forgotten
 */
public record Alert(Key key, String subject, String what, Instant at, Instant ends, String body) {
    /**
     * Names an alert.
     *
     * @param tenant null means the platform, which has no webhooks
     * @param webhook id of one of the tenant's, or {@link #AUDIT}
     * @param event id for the receiver, by which it knows repeats
     */
    public record Key(TenantId tenant, String webhook, String event) {
        /** Stands for the audit log, which is told like a webhook; no id begins so. */
        public static final String AUDIT = "#audit";

        public Key {
            Objects.requireNonNull(webhook);
            Objects.requireNonNull(event);
        }

        /** Whoever owns this in the cluster delivers the alert. */
        String owned() {
            return owned(tenant);
        }

        static String owned(TenantId tenant) {
            return tenant == null ? "" : tenant.value();
        }
    }

    public Alert {
        Objects.requireNonNull(key);
        Objects.requireNonNull(subject);
        Objects.requireNonNull(what);
        Objects.requireNonNull(body);
    }

    /** What is remembered when it was told. */
    Alert withoutBody() {
        return new Alert(key, subject, what, at, ends, "");
    }
}
