package io.sluice.control.spend;

import io.sluice.control.api.Action;
import io.sluice.control.api.AdjustOutcome;
import io.sluice.control.api.AdjustSpend;
import io.sluice.control.api.Authorizer;
import io.sluice.control.api.Principal;
import io.sluice.control.api.Reconciliation;
import io.sluice.control.api.RiseQuery;
import io.sluice.control.api.SpendApi;
import io.sluice.control.api.SpendDimension;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendPage;
import io.sluice.control.api.SpendQuery;
import io.sluice.control.api.SpendReport;
import io.sluice.control.api.SpendRise;
import io.sluice.control.api.SpendStatements;
import io.sluice.control.spend.SpendStore.Adjustment;
import io.sluice.control.spend.SpendStore.Span;
import io.sluice.tenants.Ids;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Answers finance's questions from the {@link SpendStore}, in the days and the currency of the tenant. Thread-safe. */
public final class SpendDesk implements SpendApi {
    /** More rows are no report for people: the export has them all. */
    static final int ROWS_MAX = 5_000;

    /** Segments whose differences are added up; what is below them in cost is left out of both periods alike. */
    static final int SEGMENTS_MAX = 20_000;

    private static final int SEGMENTS_SHOWN_MAX = 50;

    private static final int PAGE_ROWS = 1_000;

    private static final int REASON_CHARS_MAX = 500;

    private final SpendStore store;
    private final Supplier<Configuration> configuration;
    private final AuditNote audit;
    private final CapNote caps;
    private final CapAccounts accounts;
    private final InstantSource clock;

    /** Tells the ledger what finance has corrected. */
    @FunctionalInterface
    public interface CapNote {
        /** Completes when the tenant's own caps count it. */
        Future<Void> corrected(TenantId tenant, SpendStatements.Entry entry);
    }

    /** Finds what the ledger says of a cap in a period. */
    @FunctionalInterface
    public interface CapAccounts {
        /** Empty where it knows nothing of it. */
        Future<Optional<AccountState>> find(AccountKey account);
    }

    /** Writes a line to the audit log before something counts. */
    @FunctionalInterface
    public interface AuditNote {
        /** Completes when the line is stored. */
        Future<Void> adjusted(Principal principal, AdjustSpend command, Instant now);
    }

    public SpendDesk(
            SpendStore store,
            Supplier<Configuration> configuration,
            AuditNote audit,
            CapNote caps,
            CapAccounts accounts,
            InstantSource clock) {
        this.store = store;
        this.configuration = configuration;
        this.audit = audit;
        this.caps = caps;
        this.accounts = accounts;
        this.clock = clock;
    }

    @Override
    public Future<SpendReport> report(SpendQuery query) {
        TenantConfig tenant = tenant(query.tenant());
        String mistake = mistake(query.from(), query.to());
        if (mistake != null) {
            return Future.failedFuture(new IllegalArgumentException(mistake));
        }
        Span span = SpendDays.span(query.from(), query.to(), tenant.timeZone());
        Future<List<SpendReport.Row>> rows = query.groupBy().contains(SpendDimension.DAY)
                ? store.rowsByDay(
                        query.tenant(),
                        SpendDays.days(query.from(), query.to(), tenant.timeZone()),
                        query.groupBy(),
                        ROWS_MAX + 1)
                : store.rows(query.tenant(), span, query.groupBy(), ROWS_MAX + 1);
        Future<SpendFigures> total = store.total(query.tenant(), span);
        Future<Money> adjustments = store.adjustments(query.tenant(), query.from(), query.to());
        return Future.all(rows, total, adjustments).map(all -> {
            List<SpendReport.Row> found = rows.result();
            boolean truncated = found.size() > ROWS_MAX;
            return new SpendReport(
                    truncated ? found.subList(0, ROWS_MAX) : found,
                    truncated,
                    total.result(),
                    adjustments.result(),
                    SpendForecast.of(total.result().cost(), span, clock.instant()),
                    tenant.currency());
        });
    }

    @Override
    public Future<SpendRise> explain(RiseQuery query) {
        TenantConfig tenant = tenant(query.tenant());
        String mistake = mistake(query.from(), query.to());
        String baseMistake = mistake(query.baseFrom(), query.baseTo());
        boolean byTime = query.segmentBy().contains(SpendDimension.DAY)
                || query.segmentBy().contains(SpendDimension.HOUR);
        if (mistake != null || baseMistake != null || byTime) {
            return Future.failedFuture(new IllegalArgumentException(
                    mistake != null
                            ? mistake
                            : baseMistake != null ? "base: " + baseMistake : "segments are not by time"));
        }
        Future<List<SpendReport.Row>> present = segments(query, query.from(), query.to(), tenant);
        Future<List<SpendReport.Row>> base = segments(query, query.baseFrom(), query.baseTo(), tenant);
        return Future.all(present, base).compose(all -> {
            boolean whole =
                    present.result().size() <= SEGMENTS_MAX && base.result().size() <= SEGMENTS_MAX;
            return whole
                    ? Future.succeededFuture(
                            RiseDecider.decide(base.result(), present.result(), SEGMENTS_SHOWN_MAX, tenant.currency()))
                    : Future.failedFuture(new IllegalArgumentException(
                            "these are more than " + SEGMENTS_MAX + " segments; leave endUser out"));
        });
    }

    private Future<List<SpendReport.Row>> segments(RiseQuery query, LocalDate from, LocalDate to, TenantConfig tenant) {
        Span span = SpendDays.span(from, to, tenant.timeZone());
        return store.rows(query.tenant(), span, query.segmentBy(), SEGMENTS_MAX + 1);
    }

    @Override
    public Future<SpendStatements> statements(TenantId tenant, LocalDate from, LocalDate to) {
        String mistake = mistake(from, to);
        return mistake == null
                ? store.statements(tenant, from, to)
                : Future.failedFuture(new IllegalArgumentException(mistake));
    }

    @Override
    public Future<Reconciliation> reconciliation(TenantId tenant, LocalDate day) {
        TenantConfig config = tenant(tenant);
        AccountKey cap = new AccountKey(
                tenant, SpendCapConfig.idOf(CapScope.TENANT, null, CapPeriod.DAY), Period.of(CapPeriod.DAY, day));
        return accounts.find(cap)
                .compose(account -> store.statements(tenant, day, day)
                        .compose(
                                found -> told(config, day, found.days().stream().findFirst(), account)))
                .map(ReconcileDecider::decide);
    }

    /** A closed day is as long as it was when it was closed. */
    private Future<ReconcileDecider.Told> told(
            TenantConfig tenant,
            LocalDate day,
            Optional<SpendStatements.Day> statement,
            Optional<AccountState> account) {
        Span span = statement
                .flatMap(of -> Optional.ofNullable(of.closing()))
                .map(closed ->
                        new Span(closed.from().getEpochSecond(), closed.until().getEpochSecond()))
                .orElseGet(() -> SpendDays.span(day, day, tenant.timeZone()));
        Future<SpendFigures> journals = store.total(tenant.id(), span);
        Future<List<Reconciliation.NodeTotal>> nodes = store.byNode(tenant.id(), span);
        return Future.all(journals, nodes)
                .map(both -> new ReconcileDecider.Told(
                        day, tenant.currency(), journals.result(), nodes.result(), statement, account));
    }

    @Override
    public Future<SpendPage> export(TenantId tenant, Instant from, Instant until, String after) {
        if (after != null && !after.matches("[0-9]{1,12}:[0-9]{1,9}")) {
            return Future.failedFuture(new IllegalArgumentException("no cursor of this export"));
        }
        return store.page(tenant, new Span(from.getEpochSecond(), until.getEpochSecond()), after, PAGE_ROWS);
    }

    @Override
    public List<Instant> span(TenantId tenant, LocalDate from, LocalDate to) {
        Span span = SpendDays.span(from, to, tenant(tenant).timeZone());
        return List.of(Instant.ofEpochSecond(span.from()), Instant.ofEpochSecond(span.until()));
    }

    @Override
    public Future<AdjustOutcome> adjust(Principal principal, AdjustSpend command) {
        Optional<TenantConfig> tenant =
                Ids.valid(command.tenantId()) ? find(new TenantId(command.tenantId())) : Optional.empty();
        if (tenant.isEmpty() || !sees(principal, tenant.get().id())) {
            return refused(
                    new UserError(List.of("input", "tenantId"), UserErrorCode.NOT_FOUND, "there is no such tenant"));
        }
        if (!Authorizer.may(principal, Action.ADJUST_SPEND, tenant.get().id())) {
            return refused(
                    new UserError(List.of("input"), UserErrorCode.FORBIDDEN, "corrections are for the role FINANCE"));
        }
        Optional<LocalDate> day = day(command.day());
        Optional<Money> amount = Money.parse(command.amount());
        List<UserError> errors = mistakes(command, day, amount, tenant.get());
        if (!errors.isEmpty()) {
            return Future.succeededFuture(new AdjustOutcome(null, errors));
        }
        Instant now = clock.instant();
        return audit.adjusted(principal, command, now)
                .compose(noted -> store.adjust(new Adjustment(
                        UUID.randomUUID().toString(),
                        tenant.get().id(),
                        day.get(),
                        amount.get(),
                        command.reason().strip(),
                        principal.name() + " (" + principal.role() + ")",
                        now)))
                .compose(entry ->
                        caps.corrected(tenant.get().id(), entry).map(done -> new AdjustOutcome(entry, List.of())));
    }

    private static boolean sees(Principal principal, TenantId tenant) {
        return Authorizer.may(principal, Action.READ_SPEND, tenant)
                || Authorizer.may(principal, Action.READ_TENANT, tenant);
    }

    private static Future<AdjustOutcome> refused(UserError error) {
        return Future.succeededFuture(new AdjustOutcome(null, List.of(error)));
    }

    private List<UserError> mistakes(
            AdjustSpend command, Optional<LocalDate> day, Optional<Money> amount, TenantConfig tenant) {
        List<UserError> errors = new ArrayList<>();
        LocalDate today = LocalDate.ofInstant(clock.instant(), tenant.timeZone());
        if (day.isEmpty() || day.get().isAfter(today)) {
            errors.add(invalid("day", "must be a day such as 2026-01-31, not after today (" + today + ")"));
        }
        long most = AdjustSpend.MICROS_MAX;
        if (amount.filter(each -> each.micros() != 0 && each.micros() >= -most && each.micros() <= most)
                .isEmpty()) {
            errors.add(
                    invalid(
                            "amount",
                            "must be a decimal other than 0 with at most six decimals, from -1000000000 to 1000000000; a minus takes away"));
        }
        String reason = command.reason() == null ? "" : command.reason().strip();
        if (reason.isEmpty()
                || reason.length() > REASON_CHARS_MAX
                || reason.chars().anyMatch(Character::isISOControl)) {
            errors.add(invalid(
                    "reason",
                    "must say why, in at most " + REASON_CHARS_MAX + " characters, without control characters"));
        }
        return errors;
    }

    private static UserError invalid(String member, String message) {
        return new UserError(List.of("input", member), UserErrorCode.INVALID, message);
    }

    private static Optional<LocalDate> day(String text) {
        try {
            return text == null || text.length() != 10 ? Optional.empty() : Optional.of(LocalDate.parse(text));
        } catch (DateTimeException notOne) {
            return Optional.empty();
        }
    }

    /** What is wrong with a period; null where nothing is. */
    private static String mistake(LocalDate from, LocalDate to) {
        if (to.isBefore(from)) {
            return "the period ends (" + to + ") before it begins (" + from + ")";
        }
        return ChronoUnit.DAYS.between(from, to) >= SpendQuery.DAYS_MAX
                ? "a period has at most " + SpendQuery.DAYS_MAX + " days"
                : null;
    }

    private Optional<TenantConfig> find(TenantId id) {
        TenantTree tree = configuration.get().tenants().get(id);
        return Optional.ofNullable(tree).map(TenantTree::tenant);
    }

    private TenantConfig tenant(TenantId id) {
        return find(id).orElseThrow(() -> new IllegalArgumentException("there is no such tenant"));
    }
}
