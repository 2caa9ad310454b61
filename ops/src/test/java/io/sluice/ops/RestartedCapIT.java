package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was spent before a process was stopped in order is, in the next one, neither forgotten nor counted twice. */
@Timeout(300)
class RestartedCapIT {
    private static final int AT_ONCE = 1_000_000;

    @TempDir
    Path directory;

    @Test
    void bu04ManyRequestsAtOnceRightAfterARestartAreCountedOnTopOfWhatWasSpentAndNoneIsRefused() throws Exception {
        Path data = directory.resolve("data");
        try (BillingProvider provider = new BillingProvider()) {
            String token;
            String key;
            try (SluiceProcess first = SluiceProcess.up(data, "--empty")) {
                token = first.shownToken();
                Admin admin = new Admin(first, token);
                key = provider.onboard(admin, "acme");
                BillingProvider.cap(admin, "acme", "DAY", 1_000_000);
                assertThat(send(first, key, 100, 60, 5_000)).containsOnly(200);
                first.terminate();
                first.exitCode();
            }
            assertThat(provider.billMicros()).isEqualTo(600_000);
            try (SluiceProcess second = SluiceProcess.up(data, "--empty")) {
                assertThat(send(second, key, AT_ONCE, 50, 500)).containsOnly(200);
                assertThat(provider.billMicros()).isEqualTo(650_000);
                Admin admin = new Admin(second, token);
                ClusterProcesses.eventually(
                        "the books say what the provider says", () -> spent(admin) == 650_000 && held(admin) == 0);
            }
        }
    }

    private static List<Integer> send(SluiceProcess sluice, String key, double perSecond, int requests, int tokens)
            throws Exception {
        String url = sluice.fact("Apps") + "/chat/completions";
        List<OpenLoad.Call> calls =
                OpenLoad.send(perSecond, requests, i -> SluiceProcess.chat(url, key, BillingProvider.chat(tokens)));
        return calls.stream().map(OpenLoad.Call::status).toList();
    }

    private static long spent(Admin admin) throws Exception {
        return BillingProvider.micros(cap(admin).path("spent"));
    }

    private static long held(Admin admin) throws Exception {
        return BillingProvider.micros(cap(admin).path("held"));
    }

    private static JsonNode cap(Admin admin) throws Exception {
        return admin.ask("{tenant(id:\"acme\"){spendCaps{spent held limit band}}}")
                .at("/tenant/spendCaps/0");
    }
}
