package io.sluice.plugins.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.context.ContextCut;
import io.sluice.tenants.context.ContextDecider;
import io.sluice.tenants.context.ContextInput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Conversations as apps send them: each request is the one before, the answer, and the next question. */
class ChatHistoryPropertyTest {
    private static final class Talk {
        private final SplittableRandom random;
        private final RandomJson json;
        private final String before;
        private final String after;
        private final List<String> messages = new ArrayList<>();
        private int calls;

        Talk(SplittableRandom random) {
            this.random = random;
            json = new RandomJson(random);
            before = "{\"model\":\"m\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"x\":"
                    + json.value(2) + "}}],\"messages\": [ ";
            after = json.space() + "],\"y\":" + json.value(2) + "}";
            for (int i = random.nextInt(3); i > 0; i--) {
                messages.add(message("system", ""));
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                messages.add(message("user", "\"name\":\"example_user\","));
                messages.add(message("assistant", "\"name\":\"example_assistant\","));
            }
        }

        private String message(String role, String extra) {
            return "{" + json.space() + extra + "\"role\":\"" + role + "\",\"z\":" + json.value(1) + ",\"content\":"
                    + json.string() + "}" + json.space();
        }

        void ask() {
            messages.add(message("user", ""));
        }

        /** In some turns with calls of tools, of whose results one may come later or never. */
        void answer() {
            if (random.nextInt(3) == 0) {
                String id = random.nextInt(4) == 0 ? "again" : "k" + calls++;
                messages.add(message("assistant", "\"tool_calls\":[{\"id\":\"" + id + "\",\"type\":\"function\"}],"));
                if (random.nextInt(20) == 0) {
                    ask();
                }
                if (random.nextInt(20) > 0) {
                    messages.add(message("tool", "\"tool_call_id\":\"" + id + "\","));
                }
            }
            messages.add(message("assistant", ""));
        }

        ChatRequest request() {
            return Bodies.parsed(before + String.join(",", messages) + after);
        }
    }

    @Test
    void whatIsLeftIsARightRequestWithinItsLimits() {
        Seeds.check(2_000, random -> {
            Talk talk = new Talk(random);
            for (int turns = random.nextInt(1, 20); turns > 0; turns--) {
                talk.ask();
                talk.answer();
            }
            talk.ask();
            ChatRequest whole = talk.request();
            int tokensMax = random.nextInt(1, whole.facts().promptTokens() + 1);
            ChatHistory history = ChatHistory.of(whole, false);
            ContextCut cut = ContextDecider.decide(history.input(0, tokensMax));

            if (cut.fits()) {
                ChatRequest left = Bodies.parsed(new String(history.without(cut), StandardCharsets.UTF_8));
                assertThat(left.facts().promptTokens()).isLessThanOrEqualTo(tokensMax);
                assertThat(left.question()).isEqualTo(whole.question());
            }
        });
    }

    @Test
    void theSizesAreThoseOfTheEstimate() {
        Seeds.check(500, random -> {
            Talk talk = new Talk(random);
            talk.ask();
            ChatRequest request = talk.request();
            ContextInput input = ChatHistory.of(request, false).input(0, 1);

            assertThat(input.bytes() / ChatFacts.BYTES_PER_TOKEN + 1)
                    .isEqualTo(request.facts().promptTokens());
        });
    }

    @Test
    void thePromptsBeginningStaysFromTurnToTurn() {
        Seeds.check(300, random -> {
            Talk talk = new Talk(random);
            int turnsMax = random.nextInt(2, 12);
            int keptFrom = 0;
            String last = "";
            for (int turn = 0; turn < 30; turn++) {
                talk.ask();
                ChatHistory history = ChatHistory.of(talk.request(), false);
                ContextCut cut = ContextDecider.decide(history.input(turnsMax, 0));
                String body = new String(history.without(cut), StandardCharsets.UTF_8);

                String stays = cut.keptFrom() == keptFrom ? last : talk.before;
                assertThat(body).startsWith(stays);
                keptFrom = cut.keptFrom();
                last = body.substring(0, body.length() - talk.after.length());
                talk.answer();
            }
        });
    }

    @Test
    void theBeginningMovesOnceInHalfTheLimitOfTurns() {
        Seeds.check(100, random -> {
            List<String> talk = new ArrayList<>(List.of("{\"role\":\"system\",\"content\":\"Be brief.\"}"));
            String last = "";
            int moves = 0;
            for (int turn = 1; turn <= 100; turn++) {
                talk.add("{\"role\":\"user\",\"content\":\"question " + turn + "\"}");
                ChatHistory history =
                        ChatHistory.of(Bodies.parsed(Bodies.messages("[" + String.join(",", talk) + "]")), false);
                String body = new String(
                        history.without(ContextDecider.decide(history.input(10, 0))), StandardCharsets.UTF_8);

                moves += body.startsWith(last) ? 0 : 1;
                last = body.substring(0, body.length() - 2);
                talk.add("{\"role\":\"assistant\",\"content\":\"" + "x".repeat(random.nextInt(50)) + "\"}");
            }
            assertThat(moves).isEqualTo(18);
        });
    }
}
