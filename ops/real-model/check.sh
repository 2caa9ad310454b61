#!/usr/bin/env bash
# Checks chat through a gateway that has the real model behind it: whole, stream, stop, abort. Needs curl and python3.
set -euo pipefail

if [ $# -ne 3 ]; then
  cat >&2 <<'TEXT'
usage: ops/real-model/check.sh BASE_URL KEY SCENARIO
  BASE_URL   the gateway's data plane, such as http://127.0.0.1:8080/v1
  KEY        an API key of the tenant that has the real model in a pool
  SCENARIO   the scenario to ask under
TEXT
  exit 2
fi
url="${1%/}/chat/completions"
key=$2
scenario=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

ask() { # ask SECONDS_MAX BODY [CURL_ARGUMENT...]
  local seconds=$1 body=$2
  shift 2
  curl -sS --max-time "$seconds" "$url" -H 'content-type: application/json' -H "authorization: Bearer $key" \
    -H "x-business-scenario: $scenario" -d "$body" "$@"
}

say() { # say NAME; reads the complaint, if any, from $work/complaint
  if [ -s "$work/complaint" ]; then
    failed=$((failed + 1))
    echo "FAIL  $1: $(head -c 400 "$work/complaint" | tr '\n' ' ')"
  else
    passed=$((passed + 1))
    echo "ok    $1"
  fi
}

judge() { # judge NAME PYTHON_FILE_ON_STDIN [ARGUMENT...]
  local name=$1
  shift
  cat >"$work/judge.py"
  : >"$work/complaint"
  python3 "$work/judge.py" "$@" >"$work/complaint" 2>&1 || [ -s "$work/complaint" ] || echo "the check itself failed" >"$work/complaint"
  say "$name"
}

now_ms() { python3 -c 'import time; print(int(time.monotonic() * 1000))'; }

question='"messages":[{"role":"user","content":"What is the capital of France? One sentence."}]'
long='"messages":[{"role":"user","content":"Write a very long story about a king."}]'

ask 120 "{\"model\":\"auto\",\"max_tokens\":24,\"temperature\":0,$question}" -D "$work/head" -o "$work/whole" || true
judge "whole: an answer with its reason to end and its usage" "$work/head" "$work/whole" <<'PY'
import json, sys
head, body = open(sys.argv[1]).read(), open(sys.argv[2]).read()
assert head.splitlines()[0].split()[1] == "200", head.splitlines()[0] + " " + body
answer = json.loads(body)
assert "Paris" in answer["choices"][0]["message"]["content"], body
assert answer["choices"][0]["finish_reason"] == "stop", body
usage = answer["usage"]
assert usage["prompt_tokens"] > 0 and usage["completion_tokens"] > 0, body
PY
judge "whole: the headers that say why" "$work/head" <<'PY'
import sys
names = {line.split(":")[0].lower() for line in open(sys.argv[1]) if ":" in line}
missing = {"x-request-id", "x-sluice-model", "x-sluice-step", "x-sluice-attempts", "x-sluice-epoch"} - names
assert not missing, f"missing: {sorted(missing)}"
PY

ask 120 "{\"model\":\"auto\",\"stream\":true,\"max_tokens\":24,\"temperature\":0,$question}" -N -D "$work/head" -o "$work/stream" || true
judge "stream: events, one choice of text, [DONE] at the end" "$work/head" "$work/stream" <<'PY'
import json, sys
head, body = open(sys.argv[1]).read(), open(sys.argv[2]).read()
assert head.splitlines()[0].split()[1] == "200", head.splitlines()[0] + " " + body
assert "text/event-stream" in head.lower(), head
data = [line[6:] for line in body.splitlines() if line.startswith("data: ")]
assert data and data[-1] == "[DONE]", body[-300:]
events = [json.loads(d) for d in data[:-1]]
text = "".join(c["delta"].get("content") or "" for e in events for c in e["choices"])
assert "Paris" in text and len(events) >= 4, text
assert [c["finish_reason"] for e in events for c in e["choices"] if c["finish_reason"]] == ["stop"], body[-600:]
PY

ask 120 "{\"model\":\"auto\",\"max_tokens\":24,\"temperature\":0,\"stop\":[\" Paris\"],$question}" -o "$work/stop" || true
judge "stop: the model stops before the stop word" "$work/stop" <<'PY'
import json, sys
answer = json.load(open(sys.argv[1]))
choice = answer["choices"][0]
assert choice["message"]["content"].strip() and "Paris" not in choice["message"]["content"], answer
assert choice["finish_reason"] == "stop", answer
PY
ask 120 "{\"model\":\"auto\",\"max_tokens\":3,\"temperature\":0,$question}" -o "$work/length" || true
judge "stop: max_tokens ends the answer with 'length'" "$work/length" <<'PY'
import json, sys
answer = json.load(open(sys.argv[1]))
assert answer["choices"][0]["finish_reason"] == "length", answer
assert answer["usage"]["completion_tokens"] <= 3, answer
PY

# The model server answers one request at a time: while it still works for a client that left, the next one waits.
start=$(now_ms)
ask 300 "{\"model\":\"auto\",\"stream\":true,\"max_tokens\":600,\"temperature\":0,$long}" -N -o "$work/long" || true
full_ms=$(($(now_ms) - start))
ask 300 "{\"model\":\"auto\",\"stream\":true,\"max_tokens\":600,\"temperature\":0,$long}" -N 2>/dev/null | head -n 3 >"$work/cut" || true
start=$(now_ms)
ask 300 "{\"model\":\"auto\",\"max_tokens\":1,\"temperature\":0,$question}" -o "$work/after" || true
after_ms=$(($(now_ms) - start))
judge "abort: after the client leaves, the upstream stops working for it (whole story $full_ms ms, next answer after $after_ms ms)" \
  "$work/cut" "$work/after" "$work/long" "$full_ms" "$after_ms" <<'PY'
import json, sys
cut, after, long = (open(name).read() for name in sys.argv[1:4])
full_ms, after_ms = map(int, sys.argv[4:6])
assert long.count("data: ") > 100, "the long story was too short to tell: " + long[-300:]
assert "data: " in cut, "nothing came before the client left: " + cut
assert json.loads(after)["choices"], after
assert after_ms < full_ms / 2, "the next answer waited as long as the story would have taken"
PY

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
