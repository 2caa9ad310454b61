package io.sluice.tenants.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad-input rows 100 and 101. */
class AddressRuleTest {
    private static final AddressRule LISTED =
            new AddressRule(false, Set.of("10.0.0.5", "VLLM.internal", "fd12::1", "xn--bcher-kva.example"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://api.openai.com/v1",
                "https://api.openai.com",
                "HTTPS://API.OpenAI.com/v1/",
                "https://api.example.com:8443/openai/v1",
                "https://u.example/proxy/v1/?key=a",
                "https://8.8.8.8/v1",
                "https://[2606:4700::1]/v1",
                "https://vllm/v1",
                "https://vllm.internal/v1",
                "https://metadata.example.com/v1"
            })
    void takesPublicAddresses(String url) {
        assertThat(AddressRule.PUBLIC_ONLY.problem(url)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "api.openai.com",
                "/v1",
                "https:///v1",
                "https://",
                "ftp://api.openai.com",
                "file:///etc/passwd",
                "jar:https://a/b",
                "http://api.openai.com/v1",
                "https://user@api.openai.com/",
                "https://good.com@169.254.169.254/",
                "http://good.com@169.254.169.254/",
                "https://api.openai.com/v1#x",
                "https://api.openai.com/v1?a=b?c",
                "https://api.openai.com:6379/",
                "https://api.openai.com:25/",
                "https://api.openai.com:0/",
                "https://api.openai.com:70000/",
                "https://api.openai.com/v1\r\nHost: x",
                "https://127.1/",
                "https://2130706433/",
                "https://0x7f000001/",
                "https://0x7f.1/",
                "https://0177.0.0.1/",
                "https://8.8.8.08/",
                "https://8.8.8.8./",
                "https://256.1.1.1/",
                "https://1.2.3/",
                "https://127.0.0.1/",
                "https://10.0.0.1/",
                "https://100.64.0.1/",
                "https://0.0.0.0/",
                "https://192.0.0.192/",
                "https://198.18.0.1/",
                "https://240.0.0.1/",
                "https://168.63.129.16/",
                "https://169.254.169.254/latest/meta-data",
                "https://[::1]/",
                "https://[::]/",
                "https://[::ffff:169.254.169.254]/",
                "https://[::ffff:a9fe:a9fe]/",
                "https://[::127.0.0.1]/",
                "https://[fd00:ec2::254]/",
                "https://[fd12::1]/",
                "https://[64:ff9b::a9fe:a9fe]/",
                "https://[2002:7f00:1::]/",
                "https://[2606:4700:0:0:0:0:0:1]/",
                "https://[2606:4700::0001]/",
                "https://[fe80::1%25eth0]/",
                "https://localhost/",
                "https://localhost./",
                "https://a.localhost/",
                "https://localhost.localdomain/",
                "https://metadata/",
                "https://metadata.google.internal/computeMetadata/v1",
                "https://METADATA.google.internal/",
                "https://metadata.goog/",
                "https://metadata.azure.internal/",
                "https://metadata.internal/",
                "https://instance-data.ec2.internal/",
                "https://metadata.tencentyun.com/",
                "https://api.openai.com./",
                "https://xn--penai-0wa.com/",
                "https://öpenai.com/",
                "https://-a.example/",
                "https://a..example/"
            })
    void refusesAtTheSaveWhatCouldReachSomethingElse(String url) {
        assertThat(AddressRule.PUBLIC_ONLY.problem(url)).isNotEmpty();
    }

    @Test
    void refusesAUrlOfTenKilobytes() {
        assertThat(AddressRule.PUBLIC_ONLY.problem("https://a.example/" + "a".repeat(10_000)))
                .hasValueSatisfying(message -> assertThat(message).contains("2048"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:9000/v1", "http://localhost:9000", "http://[::1]:9000/v1"})
    void takesPlainHttpOnThisMachineWhereItIsAllowed(String url) {
        assertThat(AddressRule.WITH_LOOPBACK.problem(url)).isEmpty();
        assertThat(AddressRule.PUBLIC_ONLY.problem(url)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://10.0.0.1/", "https://10.0.0.1/", "http://a.example/", "http://127.0.0.1:6379/"})
    void thisMachineIsAllThatLoopbackAllows(String url) {
        assertThat(AddressRule.WITH_LOOPBACK.problem(url)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.5:8000/v1",
                "https://10.0.0.5/",
                "http://vllm.internal:8000/v1",
                "https://[fd12::1]/",
                "https://xn--bcher-kva.example/"
            })
    void takesWhatThePlatformLists(String url) {
        assertThat(LISTED.problem(url)).isEmpty();
    }

    @Test
    void noListReachesAMetadataAddress() {
        assertThat(new AddressRule(true, Set.of("169.254.169.254")).problem("http://169.254.169.254/"))
                .isNotEmpty();
    }

    @Test
    void takesANameOfMetadataThatThePlatformLists() {
        AddressRule rule = new AddressRule(false, Set.of("metadata.internal"));
        assertThat(rule.problem("https://metadata.internal/")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "169.254.169.254, true",
        "FD00:EC2::254, true",
        "224.0.0.1, true",
        "0.0.0.0, true",
        "169.254.1.1, false",
        "10.0.0.5, false",
        "127.0.0.1, false",
        "8.8.8.8, false",
        "gpu1.internal, false"
    })
    void knowsWhichHostsNoListAllows(String host, boolean never) {
        assertThat(AddressRule.neverAllowed(host)).isEqualTo(never);
    }

    @ParameterizedTest
    @CsvSource({
        "api.example.com, 8.8.8.8, true",
        "api.example.com, 10.0.0.5, false",
        "api.example.com, 127.0.0.1, false",
        "api.example.com, 169.254.169.254, false",
        "vllm.internal, 10.9.9.9, true",
        "vllm.internal, 127.0.0.1, true",
        "vllm.internal, 169.254.169.254, false",
        "10.0.0.5, 10.0.0.5, true"
    })
    void judgesEveryResolvedAddressAgain(String host, String address, boolean allowed) throws UnknownHostException {
        assertThat(LISTED.problem(host, InetAddress.getByName(address)).isEmpty())
                .isEqualTo(allowed);
    }

    @Test
    void aPublicNameMayNotResolveToThisMachineEvenWhereItIsAllowed() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        assertThat(AddressRule.WITH_LOOPBACK.problem("localhost", loopback)).isEmpty();
        assertThat(AddressRule.WITH_LOOPBACK.problem("rebind.example", loopback))
                .isNotEmpty();
    }

    @Test
    void saysHowToAllowAPrivateHost() {
        assertThat(AddressRule.PUBLIC_ONLY.problem("https://10.0.0.1/"))
                .hasValueSatisfying(message -> assertThat(message).contains("upstreams.allowPrivate", "10.0.0.1"));
    }

    @ParameterizedTest
    @CsvSource({"0:0:0:0:0:0:0:0, ::", "1:0:0:2:0:0:0:3, 1:0:0:2::3", "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1"})
    void writesAddressesAsRfc5952Does(String loose, String canonical) throws UnknownHostException {
        assertThat(HostLiteral.sixText(InetAddress.getByName(loose).getAddress()))
                .isEqualTo(canonical);
    }
}
