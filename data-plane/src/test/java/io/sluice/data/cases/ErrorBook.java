package io.sluice.data.cases;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.json.StrictJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Collects errors as callers see them and writes them down for people, by code. */
final class ErrorBook {
    private static final String HEAD = """
            # Errors

            What a caller is told when there is no answer, one example for each reason. The shape is OpenAI's; `code` is stable, `message` says what
            happened, what was tried and what to do. No text names a host, a key or another tenant. A test provokes each of them and compares it with this file.

            Every error has the headers `x-request-id` and `x-sluice-epoch`. Under the first, operators find its decision record (`GET /v1/decisions/<id>` for the
            caller) and log lines. A request that was refused before it was routed (`x-sluice-attempts: 0` and no `x-sluice-step`; all of 400 to 415 that Sluice itself
            finds; a stranger's 401 has neither) has no decision record: nothing was decided. Where waiting helps there is `retry-after`; where a repeat changes nothing, `x-should-retry: false`. A broken stream ends
            with one error event and without `[DONE]`: what came before stays valid.

            Not shown, but alike: `budget_exhausted` (402, a spend cap; the message names it and says when it begins anew) and the same as `insufficient_quota` (429) for
            scenarios that want that, `model_not_priced` (403, a spend cap applies and nobody knows what a call costs), `not_ready` (503, before the first configuration has arrived), `queue_full` (429, the queue of a pool is full), `idempotency_unavailable` (503,
            a request that may have an effect is named by a key, and the store of keys is away), `caps_unavailable` (503, the record of spend caps is away and this node has spent what it was granted) and `internal_error` (500, a bug: tell the operators the `x-request-id`).
            """;

    private final Map<Refusal, List<String>> examples = new EnumMap<>(Refusal.class);

    void add(String when, RawExchange.Response response) {
        List<String> notes = new ArrayList<>();
        Map<String, String> headers = response.headers();
        if (headers.containsKey("retry-after")) {
            notes.add("`retry-after: <seconds>`");
        }
        if (headers.containsKey("x-should-retry")) {
            notes.add("`x-should-retry: " + headers.get("x-should-retry") + "`");
        }
        note(when + (notes.isEmpty() ? "" : " (" + String.join(", ", notes) + ")"), response.body(), response.status());
    }

    void addEvent(String when, String json) {
        note(when, json, 0);
    }

    private void note(String when, String json, int status) {
        JsonNode error = error(json);
        Refusal refusal = Stream.of(Refusal.values())
                .filter(each -> each.code().equals(error.path("code").asText()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(when + ": no code of the table: " + json));
        if (status != 0 && status != refusal.status()) {
            throw new AssertionError(when + ": " + status + " is not the status of " + refusal);
        }
        String member = error.path("param").isTextual()
                ? "\n`param`: `" + error.path("param").asText() + "`\n"
                : "";
        examples.computeIfAbsent(refusal, made -> new ArrayList<>())
                .add("**" + when + "**\n" + member + "\n> "
                        + error.path("message").asText() + "\n");
    }

    private static JsonNode error(String json) {
        try {
            return StrictJson.MAPPER.readTree(json).path("error");
        } catch (IOException notJson) {
            throw new AssertionError("no JSON: " + json, notJson);
        }
    }

    Set<Refusal> shown() {
        return new LinkedHashSet<>(examples.keySet());
    }

    String text() {
        StringBuilder text = new StringBuilder(HEAD);
        examples.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getKey().status()))
                .forEach(entry -> {
                    Refusal refusal = entry.getKey();
                    text.append("\n## ")
                            .append(refusal.status())
                            .append(" `")
                            .append(refusal.code())
                            .append("`, `");
                    text.append(refusal.type()).append("`\n");
                    entry.getValue().forEach(each -> text.append('\n').append(each));
                });
        return text.toString();
    }
}
