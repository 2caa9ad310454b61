"""Runs the benchmark of clusters: what a request costs with more nodes, more tenants and more pools. How to read it: ops/docs/bench.md."""

import argparse
import contextlib
import datetime
import json
import os
import pathlib
import shutil
import sys
import time

import bench
import cluster_report
import entrants
import machine
import nodes
import onboarding
import profile_jvm

CONNECTIONS = 16  # to each node
# Between two requests of a connection where nodes are compared: so each node has the same load, however many share its core.
THINK_MS = 10
WARM_SLICE_SECONDS = 3
WARM_SECONDS_MAX = 90  # for each node of a cluster that is warmed up; then it is measured as it is
SETTLE_SECONDS = 5  # after load, until what was spent has been shipped
EDITS = 5

# By part: how many there are of what, for each entrant; and what is onboarded.
PARTS = {
    "nodes": [1, 2, 3],
    "tenants": [1, 100, 10_000],
    "pools": [1, 100, 1_000],
}
QUICK = {"nodes": [1, 2], "tenants": [1, 200], "pools": [1, 100]}


def parse(arguments):
    parser = argparse.ArgumentParser(prog="ops/sluice bench cluster", description="What a request costs with more nodes, tenants and pools; prints ratios.")
    parser.add_argument("--quick", action="store_true", help="smaller counts, 2 short rounds, one start: shows that it works, proves nothing")
    parser.add_argument("--only", metavar="PART", action="append", choices=list(PARTS), help=f"only this part ({', '.join(PARTS)}); may be repeated")
    parser.add_argument("--rounds", type=int, help="rounds per start (4; with --quick 2)")
    parser.add_argument("--starts", type=int, help="how often all processes are started anew, against JIT luck (2; with --quick 1)")
    parser.add_argument("--seconds", type=int, help="length of one run (4; with --quick 1)")
    parser.add_argument("--warm", type=int, help=f"longest warm-up of each node in seconds ({WARM_SECONDS_MAX}; with --quick 6)")
    parser.add_argument("--counts", metavar="N,N…", type=counts, help="other counts for one part, the one to compare with first; with --only")
    parser.add_argument("--reuse", action="store_true", help="take the tenants that an earlier run onboarded, as far as there are")
    parser.add_argument("--profile", metavar="SECONDS", type=int, nargs="?", const=15, help="no rounds: profile the largest of each part under load")
    parser.add_argument("--java", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--root", required=True, type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    for name, full, short in (("rounds", 4, 2), ("starts", 2, 1), ("seconds", 4, 1), ("warm", WARM_SECONDS_MAX, 6)):
        value = getattr(options, name)
        if value is not None and value < 1:
            parser.error(f"--{name} must be at least 1")
        setattr(options, name, value or (short if options.quick else full))
    options.parts = options.only or list(PARTS)
    if options.counts and len(options.parts) != 1:
        parser.error("--counts needs one --only PART")
    options.idle_seconds = 3 if options.quick else 15
    return options


def counts(text):
    try:
        found = [int(word) for word in text.split(",")]
    except ValueError:
        found = []
    if len(found) < 2 or min(found) < 1:
        raise argparse.ArgumentTypeError(f"needs two or more numbers from 1, parted by commas, not '{text}'")
    return found


class Load:
    """Requests that go to all nodes of one cluster, with all of its keys and scenarios or with the first only."""

    def __init__(self, cluster, pairs, work, label, think_ms):
        self.cluster, self.label, self.think_ms, self.pairs = cluster, label, think_ms, len(pairs)
        self.file = work / f"{cluster.name}-{len(pairs)}.pairs"
        self.file.write_text("".join(f"{key} {scenario}\n" for key, scenario in pairs))
        self.body = work / "json.body"

    def wrk(self, seconds, core, think_ms):
        env = {"BENCH_BODY": str(self.body), "BENCH_MANY": str(self.file), "BENCH_PORTS": " ".join(map(str, self.cluster.ports)), "BENCH_THINK_MS": str(think_ms)}
        size = self.cluster.size
        return entrants.wrk(self.cluster.ports[0], CONNECTIONS * size, seconds, core, env, threads=size)


class Part:
    """All clusters of one part in one start, side by side, so that rounds interleave."""

    def __init__(self, part, options, stack, work, upstream):
        self.part, self.options, self.work, self.stack, self.upstream = part, options, work, stack, upstream
        self.processes = []
        self.load_core, self.node_core = machine.cores()
        self.java = entrants.Java(options.java, options.root, "serial")
        self.home = bench.sluice_home(options.root)
        (work / "json.body").write_bytes(onboarding.chat_body(False))
        self._add(entrants.nginx_upstream(self.upstream, self.load_core, work))
        self.loads, self.about = [], {}
        for count in options.counts or (QUICK if options.quick else PARTS)[part]:
            self._entrant(count)

    def _add(self, process):
        self.processes.append(process)
        self.stack.callback(process.stop)
        return process

    def _cluster(self, count, data):
        size = count if self.part == "nodes" else 1
        return nodes.Cluster(f"{self.part}-{count}", size, self.java, (self.load_core, self.node_core), self.work, self.home, data, self._add)

    def _entrant(self, count):
        seed, data = (self.work.parent / "seeds" / f"{self.part}-{count}", self.work / f"data-{self.part}-{count}")
        if not (seed / "pairs.json").is_file():
            self._seed(count, seed)
        nodes.seed_copy(seed, data)
        cluster = self._cluster(count, data)
        pairs = json.loads((seed / "pairs.json").read_text())
        cluster.wait_until_all_serve(*pairs[-1])
        label = f"{count:,} {self.part if count > 1 else self.part[:-1]}"
        think_ms = THINK_MS if self.part == "nodes" else 0
        self.loads.append(Load(cluster, pairs, self.work, label, think_ms))
        if self.part != "nodes" and count > 1:
            # The same process: what many cost that nobody uses, without another JVM's luck.
            self.loads.append(Load(cluster, pairs[:1], self.work, label + ", one in use", think_ms))
        self.about[label] = {"startSeconds": round(cluster.start_seconds, 1), "onboardSeconds": json.loads((seed / "onboard.json").read_text())}

    def _seed(self, count, seed):
        bench.say(f"  {self.part}: onboarding {count:,}")
        shutil.rmtree(seed, ignore_errors=True)
        with contextlib.ExitStack() as own:
            def add(process):
                own.callback(process.stop)
                return process
            first = nodes.Cluster(f"seed-{self.part}-{count}", count if self.part == "nodes" else 1, self.java, (self.load_core, self.node_core), self.work, self.home, seed, add)
            began = time.monotonic()
            fill = {"nodes": (onboarding.onboard_tenants, 10), "tenants": (onboarding.onboard_tenants, count), "pools": (onboarding.onboard_pools, count)}[self.part]
            pairs = first.fill(fill[0], self.upstream, fill[1])
            taken = time.monotonic() - began
            first.wait_until_all_serve(*pairs[-1])
        (seed / "onboard.json").write_text(json.dumps(round(taken, 1)))
        (seed / "pairs.json").write_text(json.dumps(pairs))

    def clusters(self):
        return list({load.cluster.name: load.cluster for load in self.loads}.values())

    def warm_up(self, load):
        """At full load, until the compilers rest and a request has stopped getting cheaper, or it has taken long enough."""
        sent, quiet, least, began = 0, 0, float("inf"), time.monotonic()
        # A process that is warm already has only to change over to other keys.
        seconds_max = self.options.warm * load.cluster.size if load.label in self.about else 2 * WARM_SLICE_SECONDS
        while quiet < bench.QUIET_SLICES and time.monotonic() - began < seconds_max:
            pids = load.cluster.pids()
            jit, since = sum(map(machine.compiler_ticks, pids)), time.monotonic()
            row = self._run(load, WARM_SLICE_SECONDS, 0)
            share = (sum(map(machine.compiler_ticks, pids)) - jit) * machine.TICK_SECONDS / (time.monotonic() - since)
            quiet = quiet + 1 if share < bench.COMPILER_SHARE_MAX and row["cpuUs"] > 0.97 * least else 0
            least, sent = min(least, row["cpuUs"]), sent + row["units"]
        return sent

    def run(self, load, seconds):
        """One run, repeated once when strangers took too much of the machine."""
        row = self._run(load, seconds, load.think_ms)
        if row["foreignCores"] > bench.FOREIGN_CORES_MAX:
            row = min(row, self._run(load, seconds, load.think_ms), key=lambda one: one["foreignCores"])
            row["repeated"] = True
        return row

    def _run(self, load, seconds, think_ms):
        seen, client = {}, 0.0

        def traffic():
            nonlocal seen, client
            seen, client = load.wrk(seconds, self.load_core, think_ms)
        row = self._spent(load.cluster, traffic)
        row["foreignCores"] = round(max(0, row["foreignCores"] - client / row["seconds"]), 2)
        per_unit = max(1, seen["requests"])
        threads = {kind: ticks * machine.TICK_SECONDS * 1e6 / per_unit for kind, ticks in row.pop("threadTicks").items()}
        cpu_us = row.pop("ticks") * machine.TICK_SECONDS * 1e6 / per_unit
        return {"part": self.part, "entrant": load.label, "units": seen["requests"], "rps": seen["requests"] / seen["seconds"], "cpuUs": cpu_us,
                "p50Us": seen["p50Us"], "p99Us": seen["p99Us"], "bad": seen["bad"] + seen["broken"], "threadsUs": threads,
                "rssMb": round(machine.rss_mb(load.cluster.pids()), 1), **row}

    def _spent(self, cluster, action):
        """CPU, traffic and strangers while `action` runs."""
        own = [pid for process in self.processes for pid in process.pids()] + [os.getpid()]
        pids = cluster.pids()
        traffic = cluster.traffic()
        busy, own_before, threads, since = machine.busy_ticks(), machine.cpu_ticks(own), machine.thread_ticks(pids), time.monotonic()
        before = machine.cpu_ticks(pids)
        action()
        ticks, taken = machine.cpu_ticks(pids) - before, time.monotonic() - since
        threads_after, own_ticks, busy_ticks = machine.thread_ticks(pids), machine.cpu_ticks(own) - own_before, machine.busy_ticks() - busy
        after = cluster.traffic()
        return {"seconds": taken, "ticks": ticks, "threadTicks": {kind: count - threads.get(kind, 0) for kind, count in threads_after.items()},
                "trafficPerSecond": {what: (value - traffic[what]) / taken for what, value in after.items()},
                "foreignCores": max(0, busy_ticks - own_ticks) * machine.TICK_SECONDS / taken}

    def idle(self, cluster):
        """What a cluster costs that nobody asks anything: its control plane."""
        row = self._spent(cluster, lambda: time.sleep(self.options.idle_seconds))
        return {"cpuMsPerSecond": row["ticks"] * machine.TICK_SECONDS * 1e3 / row["seconds"], "trafficPerSecond": row["trafficPerSecond"],
                "threadsMsPerSecond": {kind: ticks * machine.TICK_SECONDS * 1e3 / row["seconds"] for kind, ticks in row["threadTicks"].items()},
                "foreignCores": round(row["foreignCores"], 2)}

    def edits(self, cluster, mark):
        """How long one change takes until its node serves it, in milliseconds."""
        taken = []
        for number in range(EDITS):
            since = time.monotonic()
            onboarding.edit(cluster.url(), cluster.token, f"{mark}-{number}")
            taken.append((time.monotonic() - since) * 1e3)
        return sorted(taken)[EDITS // 2]

    def after(self, number):
        """What is measured without load, at the end."""
        jcmd = profile_jvm.tool(self.options.java, "jcmd")
        time.sleep(SETTLE_SECONDS)
        for load in self.loads:
            about = self.about.get(load.label)
            if about is not None:
                about["idle"] = self.idle(load.cluster)
                about["editMs"] = self.edits(load.cluster, number)
                about["metricsKb"], about["scrapeMs"] = load.cluster.scrape()
                about["liveHeapMb"] = load.cluster.live_heap_mb(jcmd)
                about["nodes"] = load.cluster.size
        return self.about


def upstream_ports(seeds):
    """The same for all starts, because what was onboarded points there."""
    ports, file = entrants.Ports(), seeds / "upstream.json"
    if file.is_file():
        ports.by_name = json.loads(file.read_text())
    file.write_text(json.dumps(ports.by_name))
    return ports


def measure(options, work, upstream):
    rows, standing, warm = [], {part: [] for part in options.parts}, {}
    for part in options.parts:
        for start in range(options.starts):
            with contextlib.ExitStack() as stack:
                bench.say(f"{part}: start {start + 1} of {options.starts}: starting and warming up")
                now = Part(part, options, stack, work, upstream)
                for load in now.loads:
                    warm.setdefault(load.label, []).append(now.warm_up(load))
                for number in range(options.rounds):
                    for load in now.loads if number % 2 == 0 else reversed(now.loads):
                        rows.append({"start": start, "round": number, **now.run(load, options.seconds)})
                bench.say(f"  {part}: {options.rounds} rounds done")
                standing[part].append(now.after(start))
                java = now.java
    about = {
        "at": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "cpu": machine.cpu_model(), "cores": os.cpu_count(),
        "kernel": os.uname().release, "java": java.version(), "nodeFlags": java.gateway_flags + nodes.NODE_FLAGS, "pinned": machine.cores()[1] is not None,
        "starts": options.starts, "rounds": options.rounds, "seconds": options.seconds, "quick": options.quick, "connectionsPerNode": CONNECTIONS,
        "thinkMs": THINK_MS, "idleSeconds": options.idle_seconds, "foreignCoresMax": bench.FOREIGN_CORES_MAX, "warmRequests": warm}
    return about, standing, rows


def profile(options, work, target, upstream):
    for part in options.parts:
        with contextlib.ExitStack() as stack:
            bench.say(f"{part}: starting and warming up")
            now = Part(part, options, stack, work, upstream)
            load = [each for each in now.loads if each.label in now.about][-1]
            now.warm_up(load)
            print(profile_jvm.record(options, load.cluster.pids()[0], load.label, target / f"profile-cluster-{part}.jfr",
                                     lambda: now._run(load, options.profile, load.think_ms)))


def main():
    options = parse(sys.argv[1:])
    machine.end_as_by_ctrl_c()
    target = options.root / "ops/target/bench"
    work = target / "cluster"
    seeds = target / "seeds"
    for old in (work,) if options.reuse else (work, seeds):
        shutil.rmtree(old, ignore_errors=True)
    for needed in (work, seeds):
        needed.mkdir(parents=True, exist_ok=True)
    try:
        upstream = upstream_ports(seeds)
        if options.profile:
            profile(options, work, target, upstream)
            return 0
        about, standing, rows = measure(options, work, upstream)
    except entrants.Trouble as trouble:
        print(f"bench: {trouble}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    result = cluster_report.summarise(about, standing, rows)
    print(cluster_report.text(result))
    file = target / f"bench-cluster-{datetime.datetime.now().strftime('%Y%m%d-%H%M%S')}.json"
    file.write_text(json.dumps(result, indent=1) + "\n")
    print(f"\nAll rows: {os.path.relpath(file, options.root)}")
    return 3 if result["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
