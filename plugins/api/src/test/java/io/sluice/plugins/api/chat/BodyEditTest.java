package io.sluice.plugins.api.chat;

import static io.sluice.plugins.api.chat.Bodies.parsed;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class BodyEditTest {
    private static final String MESSAGES = "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]";

    @Test
    void replacesAValueInItsPlace() {
        String body = " {\n  \"model\" : \"m1\" ,\n  " + MESSAGES + ",\"seed\": 1.50\n}\n";
        assertThat(edited(body, edit -> edit.set("model", "\"up\""))).isEqualTo(body.replace("\"m1\"", "\"up\""));
    }

    @Test
    void replacesANumberThatIsTheLastMember() {
        assertThat(edited("{\"model\":\"m1\"," + MESSAGES + ",\"n\":1}", edit -> edit.set("n", "2")))
                .isEqualTo("{\"model\":\"m1\"," + MESSAGES + ",\"n\":2}");
        assertThat(edited("{\"model\":\"m1\"," + MESSAGES + ",\"n\":1 \n}", edit -> edit.set("n", "2")))
                .isEqualTo("{\"model\":\"m1\"," + MESSAGES + ",\"n\":2 \n}");
    }

    @Test
    void keepsTheNameAsItWasWritten() {
        assertThat(edited("{\"mod\\u0065l\":\"m1\"," + MESSAGES + "}", edit -> edit.set("model", "\"up\"")))
                .isEqualTo("{\"mod\\u0065l\":\"up\"," + MESSAGES + "}");
    }

    @Test
    void findsANameInAnyScript() {
        assertThat(edited(
                        "{\"模型\":1,\"model\":\"m1\"," + MESSAGES + ",\"👍\":2}",
                        edit -> edit.set("模型", "7").remove("👍")))
                .isEqualTo("{\"模型\":7,\"model\":\"m1\"," + MESSAGES + "}");
    }

    @Test
    void removesTheFirstMember() {
        assertThat(edited("{ \"x\":1 , \"model\":\"m1\"," + MESSAGES + "}", edit -> edit.remove("x")))
                .isEqualTo("{ \"model\":\"m1\"," + MESSAGES + "}");
    }

    @Test
    void removesAMemberInTheMiddle() {
        assertThat(edited("{\"model\":\"m1\" , \"x\":{} , " + MESSAGES + "}", edit -> edit.remove("x")))
                .isEqualTo("{\"model\":\"m1\" , " + MESSAGES + "}");
    }

    @Test
    void removesTheLastMember() {
        assertThat(edited("{\"model\":\"m1\"," + MESSAGES + " , \"x\":[1] }", edit -> edit.remove("x")))
                .isEqualTo("{\"model\":\"m1\"," + MESSAGES + " }");
    }

    @Test
    void removesAllMembersAndAddsOne() {
        String body = "{ \"model\":\"m1\"," + MESSAGES + " }";
        UnaryOperator<BodyEdit> removal = edit -> edit.remove("model").remove("messages");
        assertThat(edited(body, removal)).isEqualTo("{  }");
        assertThat(edited(body, edit -> removal.apply(edit).set("x", "1"))).isEqualTo("{ \"x\":1 }");
    }

    @Test
    void addsWhatIsAbsentAtTheEnd() {
        assertThat(edited(
                        "{\"model\":\"m1\"," + MESSAGES + "\n}",
                        edit -> edit.set("a", "{\"b\":1}").set("a\"b", "null")))
                .isEqualTo("{\"model\":\"m1\"," + MESSAGES + ",\"a\":{\"b\":1},\"a\\\"b\":null\n}");
    }

    @Test
    void removingWhatIsAbsentChangesNothing() {
        String body = "{\"model\":\"m1\", " + MESSAGES + "}";
        assertThat(edited(body, edit -> edit.remove("x"))).isEqualTo(body);
        assertThat(edited(body, edit -> edit)).isEqualTo(body);
    }

    @Test
    void theLastWordOnAMemberCounts() {
        String body = "{\"model\":\"m1\"," + MESSAGES + "}";
        assertThat(edited(body, edit -> edit.set("model", "1").remove("model").set("model", "2")))
                .isEqualTo("{\"model\":2," + MESSAGES + "}");
        assertThat(edited(body, edit -> edit.set("x", "1").remove("x"))).isEqualTo(body);
    }

    @Test
    void leavesTheRequestAsItWas() {
        ChatRequest request = parsed("{\"model\":\"m1\"," + MESSAGES + "}");
        BodyEdit edit = request.edit().set("model", "\"up\"");
        String once = edit.toBuffer().toString();
        assertThat(edit.toBuffer().toString()).isEqualTo(once);
        assertThat(request.body().toString()).isEqualTo("{\"model\":\"m1\"," + MESSAGES + "}");
    }

    @Test
    void aValueThatIsNotAsciiIsWrittenInUtf8() {
        assertThat(edited("{\"model\":\"m1\"," + MESSAGES + "}", edit -> edit.set("model", JsonText.quote("模\"型"))))
                .isEqualTo("{\"model\":\"模\\\"型\"," + MESSAGES + "}");
    }

    private static String edited(String body, UnaryOperator<BodyEdit> change) {
        return change.apply(parsed(body).edit()).toBuffer().toString();
    }
}
