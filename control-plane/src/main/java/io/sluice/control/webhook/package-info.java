/** Tells finance's own programs how caps and balances stand, by signed POST requests. Open {@link io.sluice.control.webhook.WebhookActor}. */
package io.sluice.control.webhook;
