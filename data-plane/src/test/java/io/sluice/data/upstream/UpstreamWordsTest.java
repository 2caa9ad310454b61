package io.sluice.data.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.api.Secret;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Case AT06: the credential of a call is in no word that goes on, whatever it looks like. */
class UpstreamWordsTest {
    private static final String SECRET = "hunter2-pass";

    private static String of(String words, String secret) {
        return UpstreamWords.of(words, Optional.of(new Secret(secret)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "signed with hunter2-pass | signed with ***",
                "Authorization: Bearer hunter2-pass, twice: hunter2-pass. | Authorization: Bearer ***, twice: ***.",
                "authorization=HUNTER2-PASS | authorization=***",
                "xhunter2-passx | x***x"
            })
    void theCredentialIsMaskedWhereverItStands(String words, String clean) {
        assertThat(of(words, SECRET)).isEqualTo(clean);
    }

    @ParameterizedTest
    @ValueSource(strings = {SECRET, "p+q/r s%t=\"u\"\\v", "ключ-доступа", "tok~en>>>???", "four", "two\nlines  of it"})
    void itsUsualEncodingsAreMaskedToo(String secret) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        String url = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        for (String form : new String[] {secret, url, url.replace("+", "%20")}) {
            assertThat(of("got <" + form + ">", secret)).as(form).isEqualTo("got <***>");
        }
        for (String user : new String[] {"", "u", "us", "use", "user:"}) {
            byte[] basic = (user + secret + "@").getBytes(StandardCharsets.UTF_8);
            for (Base64.Encoder encoder : new Base64.Encoder[] {Base64.getEncoder(), Base64.getUrlEncoder()}) {
                String core = encoder.withoutPadding().encodeToString(bytes);
                String seen = of("got " + encoder.encodeToString(basic), secret);
                assertThat(seen).doesNotContain(core.substring(0, core.length() - 2));
                if (secret.length() >= 6) {
                    assertThat(seen).as(user).contains("***");
                }
            }
        }
    }

    /** A plugin masks by pattern and cuts long messages, perhaps in the middle of the credential. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "signed with hunter2-p… | signed with ***…",
                "signed with ***r2-pass. | signed with ***.",
                "signed with hunter*** and ***-pass | signed with ****** and ***",
                "wait… then pass | wait… then pass"
            })
    void whatOthersLeaveOfItIsMasked(String words, String clean) {
        assertThat(of(words, SECRET)).isEqualTo(clean);
    }

    @Test
    void aCredentialOfFewLettersIsLeftBecauseStarsWouldTellItAndHideAll() {
        assertThat(of("a bad cab", "a")).isEqualTo("a bad cab");
        assertThat(of("a bad cab", "bad")).isEqualTo("a bad cab");
        assertThat(of("a good cab", "good")).isEqualTo("a *** cab");
        assertThat(UpstreamWords.of("a bad cab", Optional.empty())).isEqualTo("a bad cab");
        assertThat(UpstreamWords.of(null, Optional.empty())).isNull();
    }

    @Test
    void signsThatTurnHideOrBreakTextAreLeftOut() {
        assertThat(of("a\u202Eb\u2066c\u200Fd\uFEFFe\u2028f\u0085g\u001B[31mh\r\ni\uDB40\uDC41j", SECRET))
                .isEqualTo("abcde f g [31mh ij");
        assertThat(of("نمی\u200Cخواهم", SECRET)).isEqualTo("نمی\u200Cخواهم");
        assertThat(of("hunter2\u200B-pass", SECRET)).isEqualTo("***");
    }

    @Test
    void aMessageOfAnyLengthIsShort() {
        assertThat(of("word ".repeat(1 << 20), SECRET))
                .hasSize(UpstreamWords.CHARS_MAX)
                .endsWith("…");
        assertThat(of("x".repeat(UpstreamWords.CHARS_MAX - 5) + SECRET, SECRET)).doesNotContain("hunt");
    }
}
