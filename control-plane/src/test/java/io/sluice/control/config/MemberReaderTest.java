package io.sluice.control.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.config.UserError;
import io.sluice.tenants.json.StrictJson;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What a reader of an object says of members that it does not know. */
class MemberReaderTest {
    @Test
    void membersThatWereLeftOutAreKnownToo() throws IOException {
        Problems problems = new Problems();
        MemberReader in = new MemberReader(StrictJson.MAPPER.readTree("{\"odd\":1}"), problems);
        in.text("text");
        in.wholeOr("whole", 1);
        in.truthOr("truth", true);
        in.texts("texts");
        in.list("list", item -> item.text("x"));
        in.object("object", item -> item.text("x"));
        in.any("any");

        in.finish();

        assertThat(problems.all())
                .extracting(UserError::message)
                .containsExactly("unknown member; known are any, list, object, text, texts, truth, whole");
    }
}
