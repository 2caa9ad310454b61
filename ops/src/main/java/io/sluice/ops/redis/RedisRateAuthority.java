package io.sluice.ops.redis;

import io.sluice.data.limit.RateAuthority;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;

/**
 * Divides limits by one script per limit: a hash with the share of each node, what it uses of it, and when it said so by Redis's own
 * clock. Nothing here is on disk for long: what a Redis forgets is said again within seconds.
 */
public final class RedisRateAuthority implements RateAuthority {
    private static final String SETTLE = """
            local time = redis.call('TIME')
            local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
            local node, limit, held, want = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
            local forgotten = tonumber(ARGV[5])
            local shares, used = 0, 0
            local all = redis.call('HGETALL', KEYS[1])
            for i = 1, #all, 2 do
              if all[i] ~= node then
                local share, uses, at = string.match(all[i + 1], '^(%d+):(%d+):(%d+)$')
                if now - tonumber(at) > forgotten then
                  redis.call('HDEL', KEYS[1], all[i])
                else
                  shares = shares + tonumber(share)
                  used = used + tonumber(uses)
                end
              end
            end
            local mine = math.max(held, math.min(want, limit - shares))
            if mine > 0 then
              redis.call('HSET', KEYS[1], node, string.format('%.0f:%.0f:%.0f', mine, held, now))
              redis.call('PEXPIRE', KEYS[1], forgotten * 2)
            else
              redis.call('HDEL', KEYS[1], node)
            end
            return {mine, used}
            """;

    private final RedisLink link;
    private final String node;

    /** @param node whose shares these are */
    public RedisRateAuthority(RedisLink link, String node) {
        this.link = link;
        this.node = node;
    }

    @Override
    public Future<List<Share>> settle(List<Ask> asks) {
        List<Request> requests = new ArrayList<>();
        for (Ask ask : asks) {
            requests.add(Request.cmd(Command.EVAL)
                    .arg(SETTLE)
                    .arg(1)
                    .arg(key(ask.key()))
                    .arg(node)
                    .arg(ask.limit())
                    .arg(ask.held())
                    .arg(ask.want())
                    .arg(FORGOTTEN_MS));
        }
        return link.batch(requests)
                .map(answers -> answers.stream().map(RedisRateAuthority::share).toList());
    }

    /** The tenant first, and all of its keys in one slot. */
    private static String key(String limit) {
        int end = limit.indexOf('|');
        return "sluice:{" + limit.substring(0, end) + "}:rate" + limit.substring(end);
    }

    private static Share share(Response answer) {
        return new Share(Math.max(0, answer.get(0).toLong()), answer.get(1).toLong());
    }
}
