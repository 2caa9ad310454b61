package io.sluice.plugins.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.routing.RungEdit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever a request looks like: what a rung does not change keeps every byte, and what comes out is a right request. */
class ChatEditPropertyTest {
    /** One message with what separates it from the next. */
    private record Piece(String message, String separator) {}

    private static final class Talk {
        private final SplittableRandom random;
        private final RandomJson json;
        private final List<Piece> lead = new ArrayList<>();
        private final List<Piece> examples = new ArrayList<>();
        private final List<Piece> rest = new ArrayList<>();

        Talk(SplittableRandom random) {
            this.random = random;
            json = new RandomJson(random);
            for (int i = random.nextInt(3); i > 0; i--) {
                lead.add(piece(json.oneOf("system", "developer"), ""));
            }
            for (int i = random.nextInt(4); i > 0; i--) {
                examples.add(piece(json.oneOf("system", "user"), "\"name\":\"example_user\","));
                examples.add(piece(json.oneOf("system", "assistant"), "\"name\":\"example_assistant\","));
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                rest.add(piece("user", ""));
                rest.add(piece("assistant", ""));
            }
            rest.add(piece("user", ""));
        }

        private Piece piece(String role, String name) {
            String extra = random.nextBoolean() ? "\"x\":" + json.value(2) + "," : "";
            String message = "{" + json.space() + extra + name + "\"role\" :\"" + role + "\"," + json.space()
                    + "\"content\":" + json.string() + json.space() + "}";
            return new Piece(message, json.space() + "," + json.space());
        }

        /** The whole body, with the first {@code keep} pairs of examples. */
        String body(int keep, String limit, String before, String after) {
            StringBuilder text = new StringBuilder(before);
            List<Piece> kept = new ArrayList<>(lead);
            kept.addAll(examples.subList(0, Math.min(examples.size(), 2 * keep)));
            kept.addAll(rest);
            for (int i = 0; i < kept.size(); i++) {
                text.append(kept.get(i).message());
                text.append(i + 1 < kept.size() ? kept.get(i).separator() : "");
            }
            return text.append(limit).append(after).toString();
        }
    }

    @Test
    void theRestIsByteIdentical() {
        Seeds.check(4_000, random -> {
            Talk talk = new Talk(random);
            int limit = 1 + random.nextInt(2_000);
            int keep = random.nextInt(3);
            String before = "{\"model\":" + talk.json.string() + ",\"é\":" + talk.json.value(3) + ",\"messages\": [ ";
            String after = ",\"y\":" + talk.json.value(3) + talk.json.space() + "}" + talk.json.space();
            String sent = talk.body(9, "] ,\"max_tokens\":" + limit, before, after);
            RungEdit edit = new RungEdit(0.5, keep, false, null, null, false);

            ChatRequest edited =
                    ChatEdit.apply(Bodies.parsed(sent), edit, 1_000).request();

            int left = Math.max(1, Math.min(limit, 1_000) / 2);
            assertThat(edited.body().toString()).isEqualTo(talk.body(keep, "] ,\"max_tokens\":" + left, before, after));
        });
    }

    @Test
    void whatComesOutIsReadLikeAnyRequest() {
        Seeds.check(4_000, random -> {
            Talk talk = new Talk(random);
            String after = (random.nextBoolean() ? ",\"max_completion_tokens\":77" : "") + "}";
            String sent = talk.body(9, "]", "{\"model\":\"m\",\"messages\":[", after);
            RungEdit edit = new RungEdit(
                    random.nextBoolean() ? 1 : 0.3,
                    random.nextInt(4) - 1,
                    random.nextBoolean(),
                    "brief",
                    talk.json.oneOf("Hi", "\"q\"\n", "ü"),
                    random.nextBoolean());

            ChatRequest edited =
                    ChatEdit.apply(Bodies.parsed(sent), edit, 1_000).request();

            ChatRequest again = Bodies.parsed(edited.body().toString());
            assertThat(edited.members()).isEqualTo(again.members());
            assertThat(edited.facts().messages()).isEqualTo(again.facts().messages());
            assertThat(edited.facts().maxTokens()).isEqualTo(again.facts().maxTokens());
            assertThat(edited.facts().promptTokens())
                    .isBetween(again.facts().promptTokens() - 1, again.facts().promptTokens() + 1);
        });
    }

    @Test
    void theQuestionOfAnEditedRequestIsTheSame() {
        Seeds.check(2_000, random -> {
            Talk talk = new Talk(random);
            String sent = talk.body(9, "]", "{\"model\":\"m\",\"messages\":[", "}");
            RungEdit edit = new RungEdit(0.5, 0, true, "brief", "Hi", random.nextBoolean());
            ChatRequest request = Bodies.parsed(sent);

            assertThat(ChatEdit.apply(request, edit, 1_000).request().question())
                    .isEqualTo(request.question());
        });
    }
}
