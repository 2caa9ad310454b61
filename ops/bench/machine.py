"""What the benchmark asks of the machine: cores, CPU time, memory, ports."""

import os
import pathlib
import signal
import socket
import time

TICK_SECONDS = 1 / os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def cores():
    """(core of load and upstream, core of the gateways), or (None, None) where there is only one."""
    usable = sorted(os.sched_getaffinity(0))
    return (usable[0], usable[1]) if len(usable) > 1 else (None, None)


def pinner(core):
    """For Popen's preexec_fn: everything the child starts stays on that core."""
    return None if core is None else (lambda: os.sched_setaffinity(0, {core}))


def cpu_ticks(pids):
    """utime + stime of all threads of the processes, in ticks (proc(5), fields 14 and 15 of /proc/PID/stat)."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except FileNotFoundError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total


def compiler_ticks(pid):
    """CPU of a JVM's compiler threads so far, in ticks; those that have ended are not counted."""
    total = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            name, fields = task.joinpath("comm").read_text(), task.joinpath("stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if "CompilerThre" in name:
            total += int(fields[11]) + int(fields[12])
    return total


# What a thread of a node is for, by the first letters of its name; the kernel keeps only 15 of them.
THREAD_KINDS = (
    ("event loops", ("vert.x-eventloo", "vert.x-acceptor")), ("Hazelcast", ("hz.",)), ("workers", ("vert.x-worker", "vert.x-internal")),
    ("journal", ("sluice-journal", "journal")), ("stores (SQLite)", ("sluice-",)), ("JIT", ("C1 CompilerThre", "C2 CompilerThre")),
    ("GC", ("VM Thread", "GC Thread", "G1 ")))


def thread_ticks(pids):
    """CPU so far by kind of thread, in ticks; what threads spent that have ended is not in it."""
    found = {}
    for pid in pids:
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            try:
                name, fields = task.joinpath("comm").read_text().strip(), task.joinpath("stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            kind = next((kind for kind, starts in THREAD_KINDS if name.startswith(starts)), "other")
            found[kind] = found.get(kind, 0) + int(fields[11]) + int(fields[12])
    return found


def busy_ticks():
    """Ticks that all cores together spent on anything but waiting, stolen time included."""
    with open("/proc/stat") as file:
        user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, file.readline().split()[1:9])
    return user + nice + system + irq + softirq + steal


def rss_mb(pids):
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/statm") as file:
                total += int(file.read().split()[1]) * PAGE_BYTES
        except FileNotFoundError:
            pass
    return total / 1e6


def with_children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [pid] + [int(child) for child in file.read().split()]
    except FileNotFoundError:
        return [pid]


def threads_named(pid, part):
    count = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/comm") as file:
                count += part in file.read()
        except FileNotFoundError:
            pass
    return count


def cpu_model():
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return "unknown CPU"


def end_as_by_ctrl_c():
    """Whoever is told to end stops its children first, also where it is not told by a terminal."""
    def end(_number, _frame):
        raise KeyboardInterrupt
    signal.signal(signal.SIGTERM, end)


def free_ports(count):
    """Ports that were free a moment ago; nothing else on the machine is expected to take them meanwhile."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for_port(port, seconds, alive):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not alive():
            return False
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.05)
    return False
