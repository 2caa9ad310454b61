"""Runs the benchmark. Method, traps and how to read the table: ops/docs/bench.md."""

import argparse
import contextlib
import datetime
import json
import os
import pathlib
import shutil
import sys
import time

import entrants
import machine
import onboarding
import profile_jvm
import report

STREAMS = 200
CHUNKS_PER_STREAM = 100
CHUNK_INTERVAL_MS = 20
# A run with more of the machine taken by strangers than this is repeated once (perf work: above it medians no longer agree).
COMPILER_SHARE_MAX = 0.05  # of a core: below this the compilers count as resting
QUIET_SLICES = 4  # of 3 s in a row: the compilers pause between two bursts
WARM_SECONDS_MAX = 150  # then it is measured as it is
FOREIGN_CORES_MAX = 0.3

CELLS = {
    "whole-1": {"kind": "json", "connections": 1},
    "whole-16": {"kind": "json", "connections": 16},
    "whole-64": {"kind": "json", "connections": 64},
    "burst-16": {"kind": "burst", "connections": 16},
    "streams-200": {"kind": "paced", "streams": STREAMS},
}
SCENARIO_OF_KIND = {"json": "bench-whole", "burst": "bench-burst", "paced": "bench-paced"}


def parse(arguments):
    parser = argparse.ArgumentParser(prog="ops/sluice bench", description="Load on Sluice beside nginx and vertx-http-proxy; prints ratios.")
    parser.add_argument("--quick", action="store_true", help="2 short rounds after a short warm-up, one start: shows that it works, proves nothing")
    parser.add_argument("--only", metavar="CELL", action="append", choices=list(CELLS), help=f"only this cell ({', '.join(CELLS)}); may be repeated")
    parser.add_argument("--rounds", type=int, help="rounds per start (3; with --quick 2)")
    parser.add_argument("--starts", type=int, help="how often all processes are started anew, against JIT luck (2; with --quick 1)")
    parser.add_argument("--seconds", type=int, help="length of one run (3; with --quick 1)")
    parser.add_argument("--gc", choices=["g1", "serial"], default="serial", help="collector of both JVM gateways (serial, as the product runs)")
    parser.add_argument("--without-sluice", action="store_true", help="measure only the floors")
    parser.add_argument("--sluice-env", metavar="NAME=VALUE", action="append", default=[], help="environment for Sluice; may be repeated")
    parser.add_argument("--profile", metavar="NAME", nargs="?", const="sluice", choices=["sluice", "bounded", "floor"],
                        help="no rounds: profile Sluice (or floor, or Sluice under caps and limits) at 64 connections and name the largest costs")
    parser.add_argument("--java", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--root", required=True, type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    options.rounds = options.rounds or (2 if options.quick else 3)
    options.starts = options.starts or (1 if options.quick else 2)
    options.seconds = options.seconds or (1 if options.quick else 3)
    options.warm_seconds, options.warm_requests = (4, 10_000) if options.quick else (15, 100_000)
    options.cells = options.only or list(CELLS)
    return options


class Bench:
    """All processes of one start, and the runs against them."""

    def __init__(self, options, stack, work):
        self.options = options
        self.work = work
        self.load_core, self.gateway_core = machine.cores()
        self.java = entrants.Java(options.java, options.root, options.gc)
        self.ports = entrants.Ports()
        self.processes = []
        self._stack = stack
        home = None if options.without_sluice else sluice_home(options.root)
        add = self._add
        add(entrants.nginx_upstream(self.ports, self.load_core, work))
        add(entrants.paced_upstream(self.java, self.ports, self.load_core, work, CHUNKS_PER_STREAM, CHUNK_INTERVAL_MS))
        self.stream_load = entrants.StreamLoad(self.java, self.load_core, work)
        add(self.stream_load.process)
        self.gateways = {"direct": None, "nginx": add(entrants.nginx_proxy(self.ports, self.gateway_core, work)),
                         "floor": add(entrants.floor(self.java, self.ports, self.gateway_core, work, entrants.native_jars(home)))}
        self.keys = {"sluice": "gw_live_000000000000_00000000000000000000000000000000000000000000_000000"}
        if home:
            env = {"SLUICE_EVENT_LOOPS": "1"} | dict(pair.split("=", 1) for pair in options.sluice_env)
            process, self.keys = entrants.sluice(self.java, self.ports, self.gateway_core, work, home, env, add)
            # The same process twice: what caps and limits cost is told by two runs side by side.
            self.gateways |= {"sluice": process, "bounded": process}
            for key in self.keys.values():
                entrants.prove_everything_is_on(self.ports, key, onboarding.chat_body(False))
        self._write_requests()

    def _add(self, process):
        self.processes.append(process)
        self._stack.callback(process.stop)
        return process

    def _write_requests(self):
        for name, key in self.keys.items():
            (self.work / f"key-{name}").write_text(key)
            paced = onboarding.raw_request(onboarding.chat_body(True), key, SCENARIO_OF_KIND["paced"])
            (self.work / f"paced-{name}.request").write_bytes(paced)
        (self.work / "json.body").write_bytes(onboarding.chat_body(False))
        (self.work / "burst.body").write_bytes(onboarding.chat_body(True))

    def pids(self, name):
        gateway = self.gateways[name]
        return gateway.pids() if gateway else []

    def port(self, name, kind):
        return self.ports[{"direct": kind, "sluice": "sluice", "bounded": "sluice"}.get(name, f"{name}_{kind}")]

    def run(self, name, cell, seconds):
        """One run of one entrant, repeated once when strangers took too much of the machine."""
        row = self._run(name, cell, seconds)
        if row["foreignCores"] > FOREIGN_CORES_MAX:
            again = self._run(name, cell, seconds)
            row = min(row, again, key=lambda one: one["foreignCores"])
            row["repeated"] = True
        return row

    def _run(self, name, cell, seconds):
        spec = CELLS[cell]
        own = [pid for process in self.processes for pid in process.pids()] + [os.getpid()]
        busy, own_before, from_time = machine.busy_ticks(), machine.cpu_ticks(own), time.monotonic()
        row, client_seconds = self._streams(name, spec, seconds) if "streams" in spec else self._whole(name, spec, seconds)
        taken = time.monotonic() - from_time
        own_ticks = machine.cpu_ticks(own) - own_before
        foreign = (machine.busy_ticks() - busy - own_ticks) * machine.TICK_SECONDS - client_seconds
        return {"cell": cell, "entrant": name, **row, "rssMb": round(machine.rss_mb(self.pids(name)), 1), "foreignCores": round(max(0, foreign / taken), 2)}

    def _whole(self, name, spec, seconds):
        kind = spec["kind"]
        env = {"BENCH_BODY": str(self.work / f"{kind}.body"), "BENCH_KEY": str(self._of(name, "key-", "")), "BENCH_SCENARIO": SCENARIO_OF_KIND[kind]}
        pids = self.pids(name)
        before = machine.cpu_ticks(pids)
        seen, client_seconds = entrants.wrk(self.port(name, kind), spec["connections"], seconds, self.load_core, env)
        cpu = (machine.cpu_ticks(pids) - before) * machine.TICK_SECONDS
        per_unit = max(1, seen["requests"])
        return {"units": seen["requests"], "rps": seen["requests"] / seen["seconds"], "cpuUs": cpu * 1e6 / per_unit, "p50Us": seen["p50Us"],
                "p99Us": seen["p99Us"], "bytesPerUnit": seen["bytes"] / per_unit, "bad": seen["bad"] + seen["broken"]}, client_seconds

    def _streams(self, name, spec, seconds):
        # Twice the window: at a fixed pace the CPU time is small beside the clock tick that it is counted in.
        seen = self.stream_load.run(self.port(name, spec["kind"]), spec["streams"], 2 * seconds, self._of(name, "paced-", ".request"), self.pids(name), CHUNKS_PER_STREAM)
        cpu = seen["cpuTicks"] * machine.TICK_SECONDS
        return {"units": seen["chunks"], "rps": seen["chunks"] / seen["windowSeconds"], "cpuUs": cpu * 1e6 / max(1, seen["chunks"]),
                "p50Us": seen["chunkP50Us"], "p99Us": seen["chunkP99Us"], "firstP50Us": seen["firstChunkP50Us"], "firstP99Us": seen["firstChunkP99Us"],
                "firstOneWayP50Us": seen["firstChunkOneWayP50Us"], "firstOneWayP90Us": seen["firstChunkOneWayP90Us"],
                "bad": seen["broken"], "trouble": seen["trouble"]}, 0

    def _of(self, name, prefix, suffix):
        """The file of that entrant; those that look at no key get Sluice's."""
        return self.work / f"{prefix}{name if name in self.keys else 'sluice'}{suffix}"

    def warm_up(self, name):
        """Whole answers until both the time and the count are reached (at most three times the time) and the JVM's compilers rest,
        then every other cell asked for."""
        sent, began = 0, time.monotonic()
        limit = self.options.warm_seconds
        while (elapsed := time.monotonic() - began) < 3 * limit and (elapsed < limit or sent < self.options.warm_requests):
            sent += self._run(name, "whole-64", max(1, limit // 5))["units"]
        # On one core the compiler takes half of it for a minute and more; until it rests, it is what would be measured.
        quiet = 0
        while not self.options.quick and quiet < QUIET_SLICES and time.monotonic() - began < WARM_SECONDS_MAX:
            ticks, since = machine.compiler_ticks(self.gateways[name].child.pid), time.monotonic()
            sent += self._run(name, "whole-64", 3)["units"]
            share = (machine.compiler_ticks(self.gateways[name].child.pid) - ticks) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - since)
            quiet = quiet + 1 if share < COMPILER_SHARE_MAX else 0
        for cell in self.options.cells:
            self._run(name, cell, {"whole-1": 1, "whole-16": 1, "whole-64": 1, "burst-16": max(1, limit // 5), "streams-200": limit // 2}[cell])
        return sent


def sluice_home(root):
    home = root / "ops/target/sluice"
    if not (home / "sluice.jar").is_file():
        raise entrants.Trouble("ops/target/sluice/sluice.jar is not there: build it first (ops/sluice does), or measure only the floors with --without-sluice")
    return home


def describe(bench, options):
    collector = {"g1": "G1", "serial": "SerialGC"}[options.gc]
    about = {
        "at": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "cpu": machine.cpu_model(), "cores": os.cpu_count(),
        "kernel": os.uname().release, "java": bench.java.version(), "gatewayFlags": bench.java.gateway_flags, "collector": collector,
        "pinned": bench.gateway_core is not None, "starts": options.starts, "rounds": options.rounds, "seconds": options.seconds,
        "quick": options.quick, "transport": bench.gateways["floor"].transport, "streams": STREAMS, "chunksPerStream": CHUNKS_PER_STREAM,
        "chunkIntervalMs": CHUNK_INTERVAL_MS, "foreignCoresMax": FOREIGN_CORES_MAX, "eventLoops": {}, "warmRequests": {}}
    for name in ("floor", "sluice"):
        if name in bench.gateways:
            about["eventLoops"][name] = machine.threads_named(bench.gateways[name].child.pid, "vert.x-eventloop"[:15])
    return about


def measure(options, work):
    rows, about = [], None
    for start in range(options.starts):
        with contextlib.ExitStack() as stack:
            say(f"start {start + 1} of {options.starts}: starting and warming up")
            bench = Bench(options, stack, work)
            warm = {name: bench.warm_up(name) for name in bench.gateways if name in ("floor", "sluice", "bounded")}
            about = about or describe(bench, options)
            for name, sent in warm.items():
                about["warmRequests"].setdefault(name, []).append(sent)
            for cell in options.cells:
                for number in range(options.rounds):
                    order = list(bench.gateways)
                    for name in reversed(order) if number % 2 else order:
                        rows.append({"start": start, "round": number, **bench.run(name, cell, options.seconds)})
                say(f"  {cell}: {options.rounds} rounds done")
    return about, rows


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def main():
    options = parse(sys.argv[1:])
    machine.end_as_by_ctrl_c()
    target = options.root / "ops/target/bench"
    work = target / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    try:
        if options.profile:
            with contextlib.ExitStack() as stack:
                options.without_sluice |= options.profile == "floor"
                options.cells = ["whole-64"]
                say("starting and warming up")
                bench = Bench(options, stack, work)
                bench.warm_up(options.profile)
                print(profile_jvm.profile(bench, options.profile, target, 5 if options.quick else 20))
            return 0
        about, rows = measure(options, work)
    except entrants.Trouble as trouble:
        print(f"bench: {trouble}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    result = report.summarise(about, rows)
    print(report.text(result))
    stamp = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    file = target / f"bench-{stamp}.json"
    file.write_text(json.dumps(result, indent=1) + "\n")
    print(f"\nAll rows: {os.path.relpath(file, options.root)}")
    return 3 if result["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
