"""Profiles one of the JVM gateways under load with the JDK's flight recorder and names its largest costs."""

import json
import os
import pathlib
import re
import subprocess
from collections import Counter

# Sampling periods of the recorder's "profile" setting: a sample in native code stands for twice the time of one in Java.
WEIGHTS = {"jdk.ExecutionSample": 1, "jdk.NativeMethodSample": 2}
IDLE = re.compile(r"EPoll\.wait|epollWait|KQueue\.poll|Unsafe\.park|Object\.wait|Net\.poll|Net\.accept|waitForReferencePendingList")
# A sample is billed to the first of its frames, from the innermost out, that one of these knows; plain JDK frames go to their caller.
COSTS = [
    ("socket writes (kernel)", re.compile(r"^sun\.nio\.ch\..*\.(write|writev)0?$|epoll\.\w*\.(write|writev|writeAddress)|unix\.Socket\.(write|send)")),
    ("socket reads (kernel)", re.compile(r"^sun\.nio\.ch\..*\.(read|readv)0?$|unix\.Socket\.(read|recv)")),
    ("selector and wake-ups", re.compile(r"^sun\.nio\.ch\.EPoll|EventFD|eventFdWrite")),
    ("hashing and sealing", re.compile(r"^(sun\.security|javax\.crypto|com\.sun\.crypto|java\.security)\.")),
    ("JSON (Jackson)", re.compile(r"^com\.fasterxml\.jackson\.")),
    ("HTTP codec (Netty)", re.compile(r"^io\.netty\.handler\.codec\.")),
    ("metrics (Micrometer)", re.compile(r"^io\.micrometer\.")),
    ("embedded store (SQLite)", re.compile(r"^org\.sqlite\.")),
    ("logging", re.compile(r"^(ch\.qos\.logback|org\.slf4j)\.")),
    ("event loop, pipeline and buffers (Netty)", re.compile(r"^io\.netty\.")),
    ("vertx-http-proxy", re.compile(r"^io\.vertx\.httpproxy\.")),
    ("HTTP server and client (Vert.x)", re.compile(r"^io\.vertx\.")),
]
SLUICE = re.compile(r"^(io\.sluice\.\w+(?:\.[a-z]\w*)*)\.")


def tool(java, name):
    beside = pathlib.Path(os.path.realpath(java)).parent / name
    return str(beside) if beside.exists() else name


def _frames(sample):
    trace = sample["values"].get("stackTrace") or {"frames": []}
    return [f"{frame['method']['type']['name'].replace('/', '.')}.{frame['method']['name']}" for frame in trace["frames"]]


def _bill(frames):
    for frame in frames:
        own = SLUICE.match(frame)
        if own:
            return f"Sluice: {own.group(1)}"
        for name, pattern in COSTS:
            if pattern.search(frame):
                return name
    return "other (JDK)"


def profile(bench, name, target, seconds):
    return record(bench.options, bench.gateways[name].child.pid, f"{name} at 64 connections", target / f"profile-{name}.jfr",
                  lambda: bench.run(name, "whole-64", seconds))


def record(options, pid, name, file, run):
    """Records the JVM `pid` while `run` puts load on it and gives its row; says what it found."""
    pid = str(pid)
    file.unlink(missing_ok=True)
    jcmd, jfr = tool(options.java, "jcmd"), tool(options.java, "jfr")
    subprocess.run([jcmd, pid, "JFR.start", "name=bench", "settings=profile"], check=True, capture_output=True)
    row = run()
    subprocess.run([jcmd, pid, "JFR.stop", "name=bench", f"filename={file}"], check=True, capture_output=True)
    printed = subprocess.run([jfr, "print", "--json", "--stack-depth", "64", "--events", ",".join(WEIGHTS), str(file)],
                             check=True, capture_output=True, text=True).stdout
    bills, selves, under_sluice, total = Counter(), Counter(), 0, 0
    for sample in json.loads(printed)["recording"]["events"]:
        frames = _frames(sample)
        if not frames or IDLE.search(frames[0]):
            continue
        weight = WEIGHTS[sample["type"]]
        total += weight
        bills[_bill(frames)] += weight
        selves[frames[0]] += weight
        under_sluice += weight * any(SLUICE.match(frame) for frame in frames)
    if not total:
        return "The recording has no samples."
    lines = [f"Profile of {name}: {row['rps']:,.0f} requests/s, {row['cpuUs']:.1f} CPU µs/request while recording, {total} weighted samples",
             "", "The three largest costs (a sample belongs to the innermost frame that is not plain JDK):"]
    lines += [f"  {i}. {cost}: {count / total:.0%}" for i, (cost, count) in enumerate(bills.most_common(3), 1)]
    lines += ["", "All costs of 1 % and more:"]
    lines += [f"  {count / total:5.1%}  {cost}" for cost, count in bills.most_common() if count / total >= 0.01]
    lines += ["", "Hottest methods by themselves:"]
    lines += [f"  {count / total:5.1%}  {method}" for method, count in selves.most_common(10)]
    lines += ["", f"Below a frame of Sluice's own on the stack, what it calls included: {under_sluice / total:.0%}",
              "Samples in the kernel count only where the JVM shows the native call; time of JIT and collector threads is not in here.",
              f"Recording: {os.path.relpath(file, options.root)} (open with jfr or JDK Mission Control)"]
    return "\n".join(lines)
