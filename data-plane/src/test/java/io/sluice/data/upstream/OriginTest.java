package io.sluice.data.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OriginTest {
    private static final URI URI_NAMED = URI.create("https://models.example:8443/v1");

    private final Vertx vertx = Vertx.vertx();
    private final List<String> asked = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static Origin.Resolver answering(String... addresses) {
        return host -> {
            InetAddress[] resolved = new InetAddress[addresses.length];
            for (int i = 0; i < addresses.length; i++) {
                resolved[i] = InetAddress.getByName(addresses[i]);
            }
            return resolved;
        };
    }

    private boolean isPublic(String host, InetAddress address) {
        asked.add(host + "=" + address.getHostAddress());
        return !address.isSiteLocalAddress() && !address.isLoopbackAddress();
    }

    private Origin origin(Origin.Resolver resolver) {
        return new Origin(vertx, this::isPublic, URI_NAMED, resolver);
    }

    @Test
    void connectsToTheVeryAddressThatWasChecked() throws Exception {
        Origin origin = origin(answering("203.0.113.7", "203.0.113.8"));

        SocketAddress address = await(origin.resolve(0));

        assertThat(address.host()).isEqualTo("203.0.113.7");
        assertThat(address.port()).isEqualTo(8443);
        assertThat(origin.fresh(1)).isEqualTo(address);
        assertThat(asked).containsExactly("models.example=203.0.113.7", "models.example=203.0.113.8");
    }

    @Test
    void refusesANameOfWhichAnyAddressIsNotAllowed() {
        for (int at = 0; at < 3; at++) {
            String[] addresses = {"203.0.113.7", "203.0.113.8", "203.0.113.9"};
            addresses[at] = "10.0.0.1";
            Origin origin = origin(answering(addresses));

            assertThatThrownBy(() -> await(origin.resolve(0))).hasRootCauseInstanceOf(UnknownHostException.class);
            assertThat(origin.fresh(1)).isNull();
        }
    }

    @Test
    void checksAgainWhenTheAnswerIsOld() throws Exception {
        String[] now = {"203.0.113.7"};
        Origin origin = origin(host -> answering(now[0]).resolve(host));
        await(origin.resolve(0));
        assertThat(origin.fresh(TimeUnit.SECONDS.toNanos(29))).isNotNull();
        assertThat(origin.fresh(TimeUnit.SECONDS.toNanos(31))).isNull();

        now[0] = "127.0.0.1";

        assertThatThrownBy(() -> await(origin.resolve(TimeUnit.SECONDS.toNanos(31))))
                .hasRootCauseInstanceOf(UnknownHostException.class);
    }

    @Test
    void readsAddressesAndPortsOfAnyForm() {
        assertThat(new Origin(vertx, this::isPublic, URI.create("http://[::1]/")).host())
                .isEqualTo("::1");
        assertThat(new Origin(vertx, this::isPublic, URI.create("http://a/")).port())
                .isEqualTo(80);
        assertThat(new Origin(vertx, this::isPublic, URI.create("https://a/")).port())
                .isEqualTo(443);
        assertThat(new Origin(vertx, this::isPublic, URI.create("https://a/")).ssl())
                .isTrue();
    }

    @Test
    void aNameThatDoesNotExistIsAFailureAndNoException() {
        Origin origin = origin(host -> {
            throw new UnknownHostException(host);
        });

        assertThatThrownBy(() -> await(origin.resolve(0))).hasRootCauseInstanceOf(UnknownHostException.class);
    }
}
