package io.sluice.plugins.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.tenants.json.StrictJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BodyEditPropertyTest {
    @Test
    void aSplicedBodyReadsLikeAnEditedTree() {
        Seeds.check(6_000, random -> {
            RandomJson json = new RandomJson(random);
            String body = json.space() + json.object(json.request()) + json.space();
            ChatRequest request = Bodies.parsed(body);
            ObjectNode tree = (ObjectNode) StrictJson.MAPPER.readTree(body);
            BodyEdit edit = request.edit();
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                change(random, json, edit, tree);
            }

            JsonNode edited = StrictJson.MAPPER.readTree(edit.toBuffer().getBytes());

            assertThat(edited).isEqualTo(tree);
        });
    }

    private static void change(SplittableRandom random, RandomJson json, BodyEdit edit, ObjectNode tree)
            throws Exception {
        List<String> names = new ArrayList<>(List.of("new", "é\"\n"));
        tree.fieldNames().forEachRemaining(names::add);
        String name = names.get(random.nextInt(names.size()));
        if (random.nextBoolean()) {
            edit.remove(name);
            tree.remove(name);
        } else {
            String value = json.value(2);
            edit.set(name, value);
            tree.set(name, StrictJson.MAPPER.readTree(value));
        }
    }

    @Test
    void everyMemberIsFoundWithExactlyItsOwnText() {
        Seeds.check(6_000, random -> {
            RandomJson json = new RandomJson(random);
            Map<String, String> members = json.request();
            ChatRequest request = Bodies.parsed(json.space() + json.object(members));
            for (Map.Entry<String, String> member : members.entrySet()) {
                String name = StrictJson.MAPPER.readTree(member.getKey()).textValue();
                assertThat(request.has(name)).isTrue();
                assertThat(request.member(name)).contains(StrictJson.MAPPER.readTree(member.getValue()));
            }
            assertThat(request.tree()).hasSize(members.size());
        });
    }

    @Test
    void anEditOfOneMemberKeepsEveryOtherByte() {
        Seeds.check(6_000, random -> {
            RandomJson json = new RandomJson(random);
            Map<String, String> members = json.request();
            members.put("\"mark\"", "\"@@@\"");
            String body = json.space() + json.object(members) + json.space();
            String edited =
                    Bodies.parsed(body).edit().set("mark", "12.30").toBuffer().toString();
            assertThat(edited).isEqualTo(body.replace("\"@@@\"", "12.30"));
        });
    }
}
