package io.sluice.ops.redis;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the ledger as Redis has it, past all nodes. */
public final class LedgerLook {
    private static final Pattern ACCOUNT = Pattern.compile("ledger:([^:\r\n]+):([^:\r\n]+):([^\r\n]+)");

    private LedgerLook() {}

    /**
     * The most that {@code node} can still spend of the only cap of {@code tenant} without being granted more, micro-units: what it was
     * granted, less what it has told to have spent or given back.
     */
    public static long outMicros(RedisServer redis, String tenant, String node) throws IOException {
        Matcher found = ACCOUNT.matcher(redis.ask("KEYS", "ledger:" + tenant + ":*"));
        if (!found.find()) {
            throw new IOException("no account of " + tenant);
        }
        AccountKey account = AccountKey.ofKey(found.group(1) + "|" + found.group(2) + "|" + found.group(3));
        String answer = redis.ask("HGET", found.group(), "state");
        AccountState state =
                LedgerText.read(account, answer.substring(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
        return state.holders().entrySet().stream()
                .filter(each -> each.getKey().node().equals(node))
                .mapToLong(each -> each.getValue().outMicros() - each.getValue().spentMicros())
                .sum();
    }
}
