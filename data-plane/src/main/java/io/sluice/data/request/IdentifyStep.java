package io.sluice.data.request;

import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.routing.CompiledKey;
import io.sluice.tenants.routing.CompiledTenant;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Who is asking: key to tenant. Runs before the body is read, so that a stranger's body costs nothing. */
public final class IdentifyStep {
    private static final String SCHEME = "bearer";

    private final KeyVerifier keys;
    private final AuthThrottle throttle;
    private final KeyUses uses;

    public IdentifyStep(KeyVerifier keys, AuthThrottle throttle, KeyUses uses) {
        this.keys = keys;
        this.throttle = throttle;
        this.uses = uses;
    }

    /** The caller, or 401 in the same words whatever was wrong with the key. */
    public Outcome<Caller> identify(Arrival arrival) {
        String presented = presented(arrival.http());
        Optional<CompiledKey> found = presented == null ? Optional.empty() : keys.verify(arrival.snapshot(), presented);
        if (found.isEmpty() || !valid(found.get(), arrival.at())) {
            return Outcome.halt(unknown(arrival.http()));
        }
        uses.used(found.get(), arrival.at());
        CompiledTenant tenant = arrival.snapshot().tenants().get(found.get().tenant());
        if (tenant.suspended()) {
            return Outcome.halt(Stop.of(
                    Refusal.KEY_DISABLED, "this key's tenant is suspended; ask the platform team to enable it", null));
        }
        return Outcome.go(new Caller(arrival, found.get(), tenant));
    }

    private static boolean valid(CompiledKey key, Instant at) {
        return !key.revoked() && (key.expiresAt() == null || at.isBefore(key.expiresAt()));
    }

    private Stop unknown(HttpServerRequest http) {
        if (throttle.tooMany(http.remoteAddress().hostAddress())) {
            return Stop.later(
                    Refusal.TOO_MANY_AUTH_FAILURES,
                    "too many requests with an invalid API key came from this address; come back later",
                    AuthThrottle.WINDOW_MS);
        }
        return Stop.of(
                Refusal.INVALID_API_KEY,
                "the API key is missing or not valid; send it as \"Authorization: Bearer <key>\"",
                null);
    }

    /** The key as sent; null where there is none or where it stands in more than one place. */
    private static String presented(HttpServerRequest http) {
        List<String> authorization = http.headers().getAll("authorization");
        if (authorization.size() > 1) {
            return null;
        }
        if (authorization.isEmpty()) {
            List<String> plain = http.headers().getAll("x-api-key");
            return plain.size() == 1 ? blankToNull(plain.get(0).strip()) : null;
        }
        String value = authorization.get(0).strip();
        int blank = value.indexOf(' ');
        boolean bearer = blank == SCHEME.length() && value.regionMatches(true, 0, SCHEME, 0, blank);
        return bearer ? blankToNull(value.substring(blank).strip()) : null;
    }

    private static String blankToNull(String text) {
        return text == null || text.isBlank() ? null : text;
    }
}
