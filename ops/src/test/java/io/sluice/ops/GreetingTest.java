package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ops.Greeting.Facts;
import io.sluice.plugins.api.Secret;
import io.sluice.tenants.NodeRole;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GreetingTest {
    private static final Set<NodeRole> BOTH = Set.of(NodeRole.values());
    private static final Optional<Secret> KEY = Optional.of(new Secret("gw_live_key"));

    @Test
    void endsWithTheReadyLineSoThatWhoWaitsForItHasTheRest() {
        assertThat(Greeting.text(facts(Optional.empty(), false, KEY)).lines().toList())
                .last()
                .asString()
                .matches("Sluice is ready, \\d+ ms after .*");
    }

    @Test
    void hasOneCommandToPasteForAWholeAnswerAndOneForAStream() {
        List<String> commands = Greeting.text(facts(Optional.empty(), false, KEY))
                .lines()
                .filter(line -> line.startsWith("curl "))
                .toList();

        assertThat(commands).hasSize(2).allMatch(line -> line.contains("'Authorization: Bearer gw_live_key'"));
        assertThat(commands.get(0))
                .contains(" http://127.0.0.1:8080/v1/chat/completions ")
                .doesNotContain("stream");
        assertThat(commands.get(1)).startsWith("curl -iN ").contains("\"stream\":true");
    }

    @Test
    void hasNothingOfTheDemoWithoutOne() {
        assertThat(Greeting.text(facts(Optional.empty(), false, Optional.empty())))
                .doesNotContain("curl")
                .doesNotContain("GraphiQL");
    }

    @Test
    void showsATokenThatWasMadeJustNow() {
        assertThat(Greeting.text(facts(Optional.of(new Secret("gwa_made")), false, KEY)))
                .contains("gwa_made (shown only now;");
    }

    @Test
    void saysHowToGetAnotherTokenAtLaterStarts() {
        assertThat(Greeting.text(facts(Optional.empty(), false, KEY)))
                .contains("first start")
                .contains("SLUICE_ADMIN_TOKEN");
    }

    @Test
    void doesNotShowATokenThatWasSet() {
        assertThat(Greeting.text(facts(Optional.empty(), true, KEY))).contains("the one of the settings");
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, http://127.0.0.1:8080",
        "::, http://[::1]:8080",
        "::1, http://[::1]:8080",
        "gw, http://gw:8080"
    })
    void namesAnAddressThatCanBeConnectedTo(String host, String address) {
        Facts facts = new Facts(
                BOTH, host, 8080, 8081, Path.of("/data"), Optional.empty(), false, Optional.empty(), List.of());

        assertThat(facts.apps()).isEqualTo(address);
    }

    @Test
    void namesAPluginThatIsNotUsed() {
        Facts facts = new Facts(
                BOTH,
                "gw",
                1,
                2,
                Path.of("/data"),
                Optional.empty(),
                false,
                Optional.empty(),
                List.of("broken.jar: is no jar"));

        assertThat(Greeting.text(facts)).contains("plugin broken.jar: is no jar");
    }

    @Test
    void saysNothingOfRolesToWhoHasBoth() {
        assertThat(Greeting.text(facts(Optional.empty(), false, KEY))).doesNotContain("Role");
    }

    @Test
    void namesNoAddressForOperatorsOnANodeThatOnlyTakesRequests() {
        assertThat(Greeting.text(facts(NodeRole.DATA)))
                .contains("http://127.0.0.1:8080/v1")
                .contains("http://127.0.0.1:8081/metrics")
                .contains("takes requests of apps, and owns no pool and no tenant")
                .doesNotContain("/graphql")
                .doesNotContain("Admin token");
    }

    @Test
    void namesNoAddressForAppsOnANodeThatOnlyControls() {
        assertThat(Greeting.text(facts(NodeRole.CONTROL)))
                .contains("http://127.0.0.1:8081/graphql")
                .contains("owns pools and tenants, and takes no requests of apps")
                .contains("Admin token")
                .doesNotContain("/v1");
    }

    private static Facts facts(NodeRole only) {
        return new Facts(
                Set.of(only),
                "127.0.0.1",
                only == NodeRole.DATA ? 8080 : 0,
                8081,
                Path.of("/data"),
                Optional.empty(),
                true,
                Optional.empty(),
                List.of());
    }

    private static Facts facts(Optional<Secret> made, boolean set, Optional<Secret> key) {
        return new Facts(BOTH, "127.0.0.1", 8080, 8081, Path.of("/data"), made, set, key, List.of());
    }
}
