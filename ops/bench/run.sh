#!/usr/bin/env bash
# The benchmark: the same load direct, through nginx, through vertx-http-proxy (the floor of this stack) and through Sluice.
# What it does and how to read it: ops/docs/bench.md. Arguments: --help.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
target="$root/ops/target/bench"
mkdir -p "$target"

die() { echo "bench: $*" >&2; exit 1; }

# bench ledger: only what reserving and settling a request's money cost, by JMH.
if [ "${1:-}" = ledger ]; then
  shift
  lib="$root/ops/target/sluice/lib"
  [ -d "$lib" ] || die "build the product first: ops/sluice build"
  mvn=$(command -v mvn || ls "${MAVEN_HOME:-/usr/share/maven}/bin/mvn" 2>/dev/null || true)
  [ -n "$mvn" ] || die "mvn is missing; on Debian or Ubuntu: sudo apt-get install maven"
  "$mvn" -q -B -f "$here/ledger/pom.xml" package >"$target/ledger.log" 2>&1 || { tail -n 20 "$target/ledger.log" >&2; die "the build failed"; }
  exec java -cp "$target/ledger/ledger.jar:$target/ledger/lib/*:$lib/*" org.openjdk.jmh.Main "$@"
fi

# bench cluster: more nodes, tenants and pools; without the other gateways.
script=bench.py
tools=(wrk:wrk nginx:nginx-light python3:python3)
if [ "${1:-}" = cluster ]; then
  shift
  script=cluster.py
  tools+=(redis-server:redis-server ss:iproute2)
fi

missing=()
for tool in "${tools[@]}"; do
  PATH="$PATH:/usr/sbin" command -v "${tool%%:*}" >/dev/null 2>&1 || missing+=("${tool##*:}")
done
if [ "${#missing[@]}" -gt 0 ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "bench: installing ${missing[*]}"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}"; } >"$target/apt.log" 2>&1 ||
      die "apt-get install ${missing[*]} failed; see $target/apt.log"
  else
    die "missing: ${missing[*]}; on Debian or Ubuntu: sudo apt-get install ${missing[*]}"
  fi
fi

java_of() { [ -n "${JAVA_HOME:-}" ] && [ -x "$JAVA_HOME/bin/java" ] && echo "$JAVA_HOME/bin/java" || command -v java || true; }
java=$(java_of)
[ -n "$java" ] || die "no java found; set JAVA_HOME or put a JDK of version 17 or newer on the PATH"

jar="$target/java/bench.jar"
if [ ! -f "$jar" ] || [ -n "$(find "$here/java" -newer "$jar" -type f -print -quit)" ]; then
  mvn=$(command -v mvn || ls "${MAVEN_HOME:-/usr/share/maven}/bin/mvn" 2>/dev/null || true)
  [ -n "$mvn" ] || die "mvn is missing; on Debian or Ubuntu: sudo apt-get install maven"
  echo "bench: building the load client and the floor"
  "$mvn" -q -B -f "$here/java/pom.xml" package >"$target/build.log" 2>&1 || { tail -n 20 "$target/build.log" >&2; die "the build failed"; }
  touch "$jar"
fi

PATH="$PATH:/usr/sbin" exec python3 -B "$here/$script" --java "$java" --root "$root" "$@"
