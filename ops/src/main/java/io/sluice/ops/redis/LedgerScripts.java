package io.sluice.ops.redis;

/**
 * What Redis decides about the ledger by itself: which epoch holds, and whether a revision is still the present one. States are texts
 * that it neither reads nor computes with. Each script first looks which history it runs in: one that is not the remembered one may have lost
 * something, so nothing is told or changed there before a new epoch has begun.
 */
final class LedgerScripts {
    /** A process of Redis and its history of writes: the first changes at each start, the second at each promotion. */
    private static final String HISTORY = """
            local function history()
              local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
              local writes = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
              return run .. ':' .. writes
            end
            """;

    private static final String HOLDS = HISTORY + """
            local function holds(epoch, begun)
              return begun == history() and redis.call('GET', 'ledger:run') == begun
                and redis.call('GET', 'ledger:epoch') == epoch
            end
            """;

    /**
     * ARGV: node, empty where it spends nothing, number and history of the epoch that it knows, the least number of a new one, after how many seconds of silence a node is
     * no member. Answers number, history and members of the epoch that holds. A member's time is Redis's own.
     */
    static final String BEGIN = HISTORY + """
            local now = tonumber(redis.call('TIME')[1])
            local epoch = tonumber(redis.call('GET', 'ledger:epoch') or '0')
            local known = tonumber(ARGV[2])
            local present = history()
            local lost = known > epoch or (known == epoch and ARGV[3] ~= present)
            if redis.call('GET', 'ledger:run') ~= present or lost then
              epoch = math.max(epoch + 1, known + 1, tonumber(ARGV[4]))
              redis.call('DEL', 'ledger:members')
              local nodes = redis.call('HGETALL', 'ledger:nodes')
              for i = 1, #nodes, 2 do
                if now - tonumber(nodes[i + 1]) < tonumber(ARGV[5]) then
                  redis.call('SADD', 'ledger:members', nodes[i])
                else
                  redis.call('HDEL', 'ledger:nodes', nodes[i])
                end
              end
              redis.call('SET', 'ledger:epoch', string.format('%.0f', epoch))
              redis.call('SET', 'ledger:run', present)
            end
            if ARGV[1] ~= '' then redis.call('HSET', 'ledger:nodes', ARGV[1], string.format('%.0f', now)) end
            return {redis.call('GET', 'ledger:epoch'), present, redis.call('SMEMBERS', 'ledger:members')}
            """;

    /** ARGV: number and history of an epoch, the revision after which to begin. Answers seconds and microseconds, then accounts and their revisions; nil where the epoch is over. */
    static final String CHANGES = HOLDS + """
            if not holds(ARGV[1], ARGV[2]) then return false end
            return {redis.call('TIME'), redis.call('ZRANGEBYSCORE', 'ledger:changed', '(' .. ARGV[3], '+inf', 'WITHSCORES')}
            """;

    /**
     * KEYS: accounts. ARGV: number and history of an epoch, and for each account its name, the revision it has to have, whether it is closed, and its state. Answers for
     * each account the new revision, or, where it had another one, that one and its state; nil where the epoch is over.
     */
    static final String SAVE = HOLDS + """
            if not holds(ARGV[1], ARGV[2]) then return false end
            local answers = {}
            for i, key in ipairs(KEYS) do
              local at = 4 * i - 1
              local name, revision, closed, state = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
              local present = redis.call('HMGET', key, 'revision', 'state')
              if (present[1] or '0') == revision then
                local next = string.format('%.0f', redis.call('INCR', 'ledger:revision'))
                redis.call('HSET', key, 'revision', next, 'state', state)
                if closed == '1' then
                  redis.call('ZREM', 'ledger:changed', name)
                else
                  redis.call('ZADD', 'ledger:changed', next, name)
                end
                answers[i] = {next}
              else
                answers[i] = {present[1] or '0', present[2] or ''}
              end
            end
            return answers
            """;

    private LedgerScripts() {}
}
