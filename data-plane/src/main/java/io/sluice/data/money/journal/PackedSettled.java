package io.sluice.data.money.journal;

import io.sluice.data.money.LedgerRecord.Settled;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.PackedSpend;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.packed.PackedReader;
import io.sluice.tenants.packed.PackedWriter;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** The line that every request has, in some 150 bytes. Pure. */
final class PackedSettled {
    private PackedSettled() {}

    static void write(Settled settled, ByteBuffer to) {
        PackedWriter out = PackedWriter.into(to);
        out.text(settled.requestId());
        out.whole(settled.heldMicros());
        out.whole(settled.actualMicros());
        out.whole(settled.accounts().size());
        for (AccountKey account : settled.accounts()) {
            out.word(account.tenant().value());
            out.word(account.capId());
            out.flag(account.period().kind() == CapPeriod.MONTH);
            out.signed(account.period().first().toEpochDay());
        }
        out.flag(settled.facts() != null);
        if (settled.facts() != null) {
            PackedSpend.write(out, settled.facts());
        }
    }

    /** @throws IllegalArgumentException where it is none */
    static Settled read(ByteBuffer from) {
        PackedReader in = new PackedReader(from);
        String requestId = in.text();
        long held = in.whole();
        long actual = in.whole();
        int count = in.count();
        List<AccountKey> accounts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            accounts.add(new AccountKey(new TenantId(in.word()), in.word(), period(in.flag(), in.signed())));
        }
        SpendFacts facts = in.flag() ? PackedSpend.read(in) : null;
        if (in.hasMore()) {
            throw new IllegalArgumentException("more stands there than a settled request");
        }
        return new Settled(requestId, accounts, held, actual, facts);
    }

    private static Period period(boolean month, long firstDay) {
        try {
            return new Period(month ? CapPeriod.MONTH : CapPeriod.DAY, LocalDate.ofEpochDay(firstDay));
        } catch (DateTimeException noDay) {
            throw new IllegalArgumentException("no day of a calendar", noDay);
        }
    }
}
