package io.sluice.data.request;

import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.decision.ContextRecord;
import io.sluice.tenants.routing.CompiledCap;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledScenario;
import java.util.List;

/**
 * A request with its business meaning.
 *
 * @param ladder of the scenario, or the one pool that the body names
 * @param kind the stricter of the scenario's and the header's
 * @param lane the less urgent of the scenario's and the header's
 * @param deadlineMs the shorter of the scenario's and the caller's, from arrival
 * @param sessionId null where the caller has none
 * @param endUser whom the app asks for; null where it does not say
 * @param idempotencyKey what the caller calls this request, so that a repeat has one effect; null where it has no name
 * @param context what was left out of the conversation; null where nothing was
 * @param sent the request as it came, where it has an idempotency key and is not {@code chat}; else null
 * @param admitted what it has taken from its limits; null where none apply
 * @param prompt what was counted of its prompt
 */
public record Identified(
        Caller caller,
        ChatRequest chat,
        CompiledScenario scenario,
        List<CompiledRung> ladder,
        RequestKind kind,
        Lane lane,
        long deadlineMs,
        String sessionId,
        String endUser,
        String idempotencyKey,
        ContextRecord context,
        ChatRequest sent,
        Admitted admitted,
        PromptCount prompt) {
    /**
     * Whether it may be sent again while its caller waits. A key changes nothing: under it the caller may repeat the request, and
     * is told where nobody knows whether it took effect.
     *
     * @param sent whether a part of it may have reached an upstream
     */
    boolean repeatable(boolean sent) {
        return kind == RequestKind.READ || !sent;
    }

    /** The same request with a part of its conversation. */
    Identified cutTo(ChatRequest left, ContextRecord how) {
        return new Identified(
                caller,
                left,
                scenario,
                ladder,
                kind,
                lane,
                deadlineMs,
                sessionId,
                endUser,
                idempotencyKey,
                how,
                idempotencyKey == null ? null : chat,
                admitted,
                prompt);
    }

    /** What an idempotency key stands for. */
    ChatRequest asSent() {
        return sent == null ? chat : sent;
    }

    /** The same request, let in. */
    Identified admittedBy(Admitted taken) {
        return new Identified(
                caller,
                chat,
                scenario,
                ladder,
                kind,
                lane,
                deadlineMs,
                sessionId,
                endUser,
                idempotencyKey,
                context,
                sent,
                taken,
                prompt);
    }

    /** {@code after}, and before it the end of what the request has taken from its limits. */
    Runnable ending(Runnable after) {
        return admitted == null
                ? after
                : () -> {
                    admitted.end();
                    after.run();
                };
    }

    /** It is refused for another reason than its limits, before anything was called: it uses nothing of them. */
    void giveBackLimits() {
        if (admitted != null) {
            admitted.undo();
        }
    }

    /** The spend caps that apply. */
    List<CompiledCap> caps() {
        return caller.tenant().caps().of(caller.key().appId(), scenario.name(), endUser);
    }

    Arrival arrival() {
        return caller.arrival();
    }
}
