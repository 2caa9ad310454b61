package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.money.Money;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cases BU01 to BU11: a cap holds for all who ask at once, and only what was used counts. Tokens cost one and two micro-units. */
class BudgetCasesIT {
    private static final String LONG = "\"max_tokens\":2000";

    private final ScriptedUpstream upstream = ScriptedUpstream.answering(500, "{}");
    private final TestGateway gateway = TestGateway.start(TestConfig.pool(upstream));

    @AfterEach
    void stop() {
        gateway.close();
        upstream.close();
    }

    /** Of the day and, where there are two, of the month. */
    private void capped(String... limits) {
        gateway.changeTenant(before -> {
            TenantTree tree = before;
            for (int i = 0; i < limits.length; i++) {
                CapPeriod period = i == 0 ? CapPeriod.DAY : CapPeriod.MONTH;
                tree = tree.with(TestConfig.cap(period, limits[i]));
            }
            return tree;
        });
    }

    /** Whole or streamed, {@code tokens} long. */
    private void answers(int tokens) {
        upstream.play((request, wire) -> {
            if (request.body().contains("\"stream\":true")) {
                wire.stream()
                        .chunk(Sse.c("word"))
                        .chunk(Sse.fin("stop") + Sse.use(10, tokens) + Sse.DONE)
                        .end();
            } else {
                wire.json(200, Sse.whole("word", 10, tokens));
            }
        });
    }

    private Stream<AccountState> accounts() {
        return gateway.authority().states().stream();
    }

    /** Waits until every account has so much spent and nothing held, as the node reports it. */
    private void settlesAt(long spentMicros) {
        TestGateway.eventually(
                "spent " + spentMicros + " and nothing held",
                () -> gateway.authority().states().size() > 0
                        && accounts().allMatch(each -> each.spentMicros() == spentMicros && each.heldMicros() == 0));
    }

    @Test
    void bu01OfManyAtOnceOnlyThoseAreLetInThatTheCapCovers() throws Exception {
        capped("0.01");
        CountDownLatch go = new CountDownLatch(1);
        upstream.play((request, wire) -> {
            go.await(20, TimeUnit.SECONDS);
            wire.json(200, Sse.whole("word", 10, 2_000));
        });
        ExecutorService callers = Executors.newFixedThreadPool(20);
        List<Future<Answer>> asked = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            asked.add(callers.submit(() -> gateway.client().chat(Client.request(LONG))));
        }
        TestGateway.eventually(
                "all but two are answered",
                () -> asked.stream().filter(Future::isDone).count() >= 18);
        go.countDown();
        List<Integer> statuses = new ArrayList<>();
        for (Future<Answer> each : asked) {
            statuses.add(each.get().status());
        }
        callers.shutdown();

        assertThat(statuses).containsOnly(200, 402);
        assertThat(statuses.stream().filter(each -> each == 200)).hasSize(2);
        assertThat(upstream.requests()).hasSize(2);
        settlesAt(2 * 4_010);
    }

    @Test
    void bu03WhatAStreamDidNotUseIsGivenBack() throws Exception {
        capped("0.01", "0.02");
        answers(50);
        for (int i = 0; i < 10; i++) {
            Answer answer = gateway.client().chat(Client.streamed(LONG));
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        }
        settlesAt(10 * 110);
    }

    @Test
    void bu03FailuresAndCallersWhoLeaveHoldNothing() throws IOException {
        capped("0.01");
        upstream.play((request, wire) -> wire.json(500, "{\"error\":{\"message\":\"oops\"}}"));
        for (int i = 0; i < 5; i++) {
            assertThat(gateway.client().chat(Client.request(LONG)).status()).isEqualTo(502);
        }
        settlesAt(0);
        upstream.play((request, wire) -> {
            wire.stream().chunk(Sse.c("word"));
            wire.hang(20_000);
        });
        for (int i = 0; i < 3; i++) {
            try (Socket socket = gateway.client().connect(10_000)) {
                Client.write(socket, Client.rawChat(Client.streamed(LONG)).getBytes(StandardCharsets.UTF_8));
                assertThat(socket.getInputStream().read()).isPositive();
            }
        }
        TestGateway.eventually(
                "nothing is held", () -> accounts().allMatch(each -> each.heldMicros() == 0 && each.spentMicros() > 0));
        assertThat(accounts().mapToLong(AccountState::spentMicros).sum()).isLessThan(1_000);
    }

    @Test
    void bu09WithoutACapNobodyIsRefusedAndWithOneOfNothingEverybody() {
        answers(50);
        assertThat(gateway.client().chat(Client.request()).status()).isEqualTo(200);
        capped("0");
        Answer refused = gateway.client().chat(Client.request());

        assertThat(refused.status()).isEqualTo(402);
        assertThat(refused.code()).isEqualTo("budget_exhausted");
        assertThat(upstream.requests()).hasSize(1);
    }

    @Test
    void cl06WhileTheLedgerIsAwayWhatANodeHasIsSpentAndThenItSaysThatNobodyKnows() {
        answers(2_000);
        capped("10");
        assertThat(gateway.client().chat(Client.request(LONG)).status()).isEqualTo(200);
        gateway.authority().away(true);
        Answer last = gateway.client().chat(Client.request(LONG));
        for (int i = 0; i < 10_000 && last.status() == 200; i++) {
            last = gateway.client().chat(Client.request(LONG));
        }
        assertThat(last.status()).isEqualTo(503);
        assertThat(last.code()).isEqualTo("caps_unavailable");
        assertThat(last.header("retry-after")).isNotNull();
        assertThat(last.body()).contains("nothing was sent");
        gateway.authority().away(false);
        TestGateway.eventually(
                "the ledger is heard again",
                () -> gateway.client().chat(Client.request(LONG)).status() == 200);
    }

    @Test
    void bu10WhatGotNoOutputCostsNothing() {
        capped("1");
        upstream.play((request, wire) -> wire.json(500, "{\"error\":{\"message\":\"oops\"}}"));
        Answer failed = gateway.client().chat(Client.request().replace("hi", "word ".repeat(100_000)));
        upstream.close();
        Answer unreachable = gateway.client().chat(Client.request().replace("hi", "word ".repeat(100_000)));

        for (Answer each : List.of(failed, unreachable)) {
            assertThat(each.status()).isBetween(500, 599);
            DecisionRecord record = gateway.decision(each);
            assertThat(record.outcome()).isNotEqualTo("ok");
            assertThat(record.cost() == null ? Money.ZERO : record.cost()).isEqualTo(Money.ZERO);
        }
        settlesAt(0);
    }

    @Test
    void bu11EveryWayInDebitsTheSameBudget() {
        capped("0.001", "1");
        answers(100);
        gateway.client().chat(Client.request("\"max_tokens\":200"));
        gateway.client().chat(Client.streamed("\"max_tokens\":200"));
        settlesAt(2 * 210);
        Answer third = gateway.client().chat(Client.streamed("\"max_tokens\":300"));

        assertThat(third.status()).as(third.body()).isEqualTo(402);
        assertThat(third.body()).contains("the day cap");
    }

    @Test
    void aCallWhoseTimeWasUpCountsWithItsPrompt() {
        capped("1");
        upstream.play((request, wire) -> wire.hang(20_000));
        Answer late =
                gateway.client().chat(Client.request().replace("hi", "word ".repeat(400)), "x-deadline-ms", "600");
        DecisionRecord record = gateway.decision(late);

        assertThat(late.status()).isEqualTo(504);
        assertThat(record.attempts()).isNotEmpty().allMatch(each -> each.usage().estimated());
        assertThat(record.cost().micros()).isGreaterThan(500);
        settlesAt(record.cost().micros());
    }
}
