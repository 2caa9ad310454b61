package io.sluice.control;

import static io.sluice.control.Running.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.api.AuditEntry;
import io.sluice.control.api.LadderVerdict;
import io.sluice.control.api.Principal;
import io.sluice.control.api.VerifyQuery;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.message.BusMessage.CheckLadder;
import io.sluice.tenants.message.BusMessage.LadderChecked;
import io.sluice.tenants.message.RungCheck;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may have a ladder verified, what is written down, and what the data plane is asked. */
class VerifyLadderIT {
    private static final TenantId ACME = new TenantId("acme");
    private static final Principal ADMIN = new Principal(Role.TENANT_ADMIN, ACME, "ann");

    @TempDir
    Path directory;

    private final List<CheckLadder> asked = new CopyOnWriteArrayList<>();
    private Running running;

    @BeforeEach
    void start() {
        running = new Running(directory).withAcme();
    }

    @AfterEach
    void stop() {
        running.close();
    }

    private void answering(LadderChecked checked) {
        await(new Bus(running.vertx).answer(Address.ladderChecks("node-1"), check -> {
            asked.add(check);
            return Future.succeededFuture(checked);
        }));
    }

    private LadderVerdict verify(Principal principal, String tenant, String scenario, String prompt) {
        return await(running.plane.verifyLadder(principal, new VerifyQuery(tenant, scenario, prompt)));
    }

    private static RungCheck works(String step) {
        return new RungCheck(step, "pool", "sim", "small", true, 5, null, null, Money.of("0.001"));
    }

    @Test
    void theDataPlaneIsAskedAndTheAuditLogKnowsIt() {
        answering(new LadderChecked(List.of(works("first"), works("second")), null));

        LadderVerdict verdict = verify(ADMIN, "acme", "chat", "say hello");

        assertThat(verdict.ok()).isTrue();
        assertThat(verdict.cost()).isEqualTo(Money.of("0.002"));
        assertThat(asked)
                .singleElement()
                .extracting(CheckLadder::tenant, CheckLadder::scenario, CheckLadder::prompt)
                .containsExactly(ACME, "chat", "say hello");
        AuditEntry entry = await(running.plane.audit(ACME, 1, null)).entries().get(0);
        assertThat(entry.action()).isEqualTo("verifyLadder");
        assertThat(entry.subject()).isEqualTo("scenario/chat");
        assertThat(entry.actor()).isEqualTo("ann (TENANT_ADMIN of acme)");
        assertThat(entry.detail().toString()).isEqualTo("{\"promptChars\":9}");
    }

    @Test
    void aCacheRungThatIsStillEmptyIsNoFailure() {
        answering(new LadderChecked(List.of(works("first"), silent("old", "cache")), null));
        assertThat(verify(ADMIN, "acme", "chat", null).ok()).isTrue();
    }

    @Test
    void aRulesRungThatAnswersNothingIsAFailure() {
        answering(new LadderChecked(List.of(works("first"), silent("known", "rules")), null));
        assertThat(verify(ADMIN, "acme", "chat", null).ok()).isFalse();
    }

    private static RungCheck silent(String step, String kind) {
        return new RungCheck(step, kind, null, null, false, 0, null, "it has none", null);
    }

    @Test
    void whatANodeCanNotDoNowIsTold() {
        answering(new LadderChecked(List.of(), "try again"));
        assertThat(verify(ADMIN, "acme", "chat", null).errors())
                .singleElement()
                .extracting(error -> error.code() + " " + error.message())
                .isEqualTo("LIMIT_EXCEEDED try again");
    }

    @Test
    void anotherTenantDoesNotExist() {
        Principal stranger = new Principal(Role.TENANT_ADMIN, new TenantId("other"), "eve");
        assertThat(verify(stranger, "acme", "chat", null).errors().get(0).code())
                .isEqualTo(UserErrorCode.NOT_FOUND);
        assertThat(asked).isEmpty();
    }

    @Test
    void aReaderMayNotHaveModelsCalled() {
        assertThat(verify(new Principal(Role.AUDITOR, ACME, "bob"), "acme", "chat", null)
                        .errors()
                        .get(0)
                        .code())
                .isEqualTo(UserErrorCode.FORBIDDEN);
    }

    @Test
    void anUnknownScenarioIsToldTheKnownOnes() {
        assertThat(verify(ADMIN, "acme", "chta", null).errors().get(0).message())
                .contains("chat");
    }

    @Test
    void aPromptSaysSomethingShort() {
        assertThat(verify(ADMIN, "acme", "chat", " ").errors().get(0).path()).containsExactly("prompt");
        assertThat(verify(ADMIN, "acme", "chat", "x".repeat(2_001))
                        .errors()
                        .get(0)
                        .path())
                .containsExactly("prompt");
    }

    @Test
    void withoutADataPlaneItFails() {
        assertThatThrownBy(() -> verify(ADMIN, "acme", "chat", null)).hasMessageContaining("No handlers");
    }
}
