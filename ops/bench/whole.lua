-- wrk: one fixed POST (body and key from files named in the environment), and a summary in JSON with times in microseconds.
-- BENCH_MANY names a file of "KEY SCENARIO" lines to take in turn, in place of one key; BENCH_PORTS gives each thread a node of its own, and
-- BENCH_THINK_MS is how long a connection rests before each request.
local function slurp(name)
  local file = assert(io.open(os.getenv(name), "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

wrk.method = "POST"
wrk.body = slurp("BENCH_BODY")
wrk.headers["Content-Type"] = "application/json"
local many = os.getenv("BENCH_MANY")
if not many then
  wrk.headers["Authorization"] = "Bearer " .. slurp("BENCH_KEY")
  wrk.headers["X-Business-Scenario"] = os.getenv("BENCH_SCENARIO")
end

local started = 0
function setup(thread)
  local ports = {}
  for port in (os.getenv("BENCH_PORTS") or ""):gmatch("%d+") do ports[#ports + 1] = port end
  if #ports > 0 then
    thread.addr = wrk.lookup("127.0.0.1", ports[started % #ports + 1])[1]
    started = started + 1
  end
end

if many then
  local requests, at = {}, 0
  function init(args)
    for key, scenario in slurp("BENCH_MANY"):gmatch("(%S+) (%S+)\n") do
      wrk.headers["Authorization"] = "Bearer " .. key
      wrk.headers["X-Business-Scenario"] = scenario
      requests[#requests + 1] = wrk.format()
    end
  end

  function request()
    at = at % #requests + 1
    return requests[at]
  end
end

local think = tonumber(os.getenv("BENCH_THINK_MS") or "0")
if think > 0 then
  function delay() return think end
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\nJSON {"requests":%d,"seconds":%.6f,"bytes":%d,"p50Us":%.1f,"p90Us":%.1f,"p99Us":%.1f,"bad":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, latency:percentile(50), latency:percentile(90), latency:percentile(99),
    e.status, e.connect + e.read + e.write + e.timeout))
end
