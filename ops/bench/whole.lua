-- wrk: one fixed POST (body and key from files named in the environment), and a summary in JSON with times in microseconds.
local function slurp(name)
  local file = assert(io.open(os.getenv(name), "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

wrk.method = "POST"
wrk.body = slurp("BENCH_BODY")
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer " .. slurp("BENCH_KEY")
wrk.headers["X-Business-Scenario"] = os.getenv("BENCH_SCENARIO")

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\nJSON {"requests":%d,"seconds":%.6f,"bytes":%d,"p50Us":%.1f,"p90Us":%.1f,"p99Us":%.1f,"bad":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, latency:percentile(50), latency:percentile(90), latency:percentile(99),
    e.status, e.connect + e.read + e.write + e.timeout))
end
