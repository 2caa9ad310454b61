"""Turns rows of the benchmark of clusters into medians, ratios and verdicts, and those into text."""

from statistics import median

import report

BOUND = 1.10  # flat, says the issue
METRICS = ("rps", "cpuUs", "p50Us", "p99Us", "rssMb")
TITLES = {"nodes": "Nodes, each with the same load", "tenants": "Tenants, one node, all keys in turn", "pools": "Pools, one node, all pools in turn"}


def _ratios(rows, name, base):
    """Of each round, so that what disturbed a round is in both."""
    rounds = {}
    for row in rows:
        rounds.setdefault((row["start"], row["round"]), {})[row["entrant"]] = row["cpuUs"]
    values = [each[name] / each[base] for each in rounds.values() if each.get(base, 0) > 0 and name in each]
    return {"median": median(values), "min": min(values), "max": max(values), "rounds": len(values)} if values else None


def _medians(figures):
    """Of dictionaries with the same names, of numbers or of further dictionaries."""
    names = dict.fromkeys(name for each in figures for name in each)
    found = {}
    for name in names:
        values = [each[name] for each in figures if name in each]
        found[name] = _medians(values) if isinstance(values[0], dict) else median(values)
    return found


def summarise(about, standing, rows):
    parts, verdicts = {}, []
    for part, starts in standing.items():
        mine = [row for row in rows if row["part"] == part]
        names = list(dict.fromkeys(row["entrant"] for row in mine))
        entrants = {}
        for name in names:
            of = [row for row in mine if row["entrant"] == name]
            entrants[name] = {metric: median(row[metric] for row in of) for metric in METRICS}
            entrants[name] |= {"trafficPerSecond": _medians([row["trafficPerSecond"] for row in of]), "threadsUs": _medians([row["threadsUs"] for row in of]),
                               "over": _ratios(mine, name, names[0]), "standing": _medians([start[name] for start in starts if name in start])}
            if name != names[0]:
                ratio = entrants[name]["over"]
                verdicts.append({"part": part, "what": f"CPU per request, {name}", "against": names[0], "bound": BOUND, **ratio,
                                 "verdict": report.verdict(ratio["median"], BOUND)})
        parts[part] = entrants
    bad = [row for row in rows if row["bad"]]
    noisy = sum(row["foreignCores"] > about["foreignCoresMax"] for row in rows)
    return {"about": about, "parts": parts, "verdicts": verdicts, "badRuns": len(bad), "noisyRuns": noisy, "runs": len(rows),
            "foreignCores": median(row["foreignCores"] for row in rows),
            "missed": bool(bad) or any(each["verdict"] == "MISS" for each in verdicts), "standing": standing, "rows": rows}


def _kilo(traffic, *names):
    return report.number(sum(traffic.get(name, 0) for name in names) / 1000)


def _part_text(part, entrants):
    first = next(iter(entrants))
    loaded = [[name, report.number(of["rps"]), report.number(of["cpuUs"]), report.ratio_text(of["over"]), report.number(of["p50Us"]), report.number(of["p99Us"]),
               report.number(of["rssMb"])] for name, of in entrants.items()]
    kinds = sorted({kind for of in entrants.values() for kind in of["threadsUs"]}, key=lambda kind: -entrants[first]["threadsUs"].get(kind, 0))
    threads = [[name, *(report.number(of["threadsUs"].get(kind, 0)) for kind in kinds)] for name, of in entrants.items()]
    still = []
    for name, of in entrants.items():
        about = of["standing"]
        if about:
            idle = about["idle"]["trafficPerSecond"]
            still.append([name, report.number(about["idle"]["cpuMsPerSecond"] / 10), report.number(about["idle"]["cpuMsPerSecond"] / 10 / about["nodes"]),
                          report.number(about["liveHeapMb"]), report.number(about["startSeconds"]), report.number(about["onboardSeconds"]),
                          report.number(about["editMs"]), report.number(about["metricsKb"]), report.number(about["scrapeMs"]), report.number(idle["redis.commands"])])
    bus = [[name, *(f"{report.number(way[f'{kind}.packets'])} / {_kilo(way, f'{kind}.bytes')}" if way else "–" for kind in ("hazelcast", "bus")
                    for way in (of["trafficPerSecond"], of["standing"].get("idle", {}).get("trafficPerSecond"))),
            f"{report.number(of['trafficPerSecond']['redis.commands'])} / {_kilo(of['trafficPerSecond'], 'redis.bytes')}"] for name, of in entrants.items()]
    return "\n\n".join([
        f"{TITLES[part]}\n" + report.table(["", "requests/s", "CPU µs/request", f"÷ {first}", "p50 µs", "p99 µs", "RSS MB"], loaded),
        "CPU µs/request by kind of thread\n" + report.table(["", *kinds], threads),
        "Without load\n" + report.table(["", "CPU % of a core", "per node", "live heap MB", "start s", "onboarding s", "one change ms", "/metrics KB", "CPU ms/scrape", "Redis commands/s"], still),
        "Between nodes: packets with data a second / KB a second; Redis: commands a second / KB a second\n"
        + report.table(["", "Hazelcast, loaded", "idle", "bus, loaded", "idle", "Redis, loaded"], bus)])


def text(result):
    about = result["about"]
    parts = [_part_text(part, entrants) for part, entrants in result["parts"].items()]
    lines = [[f"{each['part']}: {each['what']} ÷ {each['against']}", report.ratio_text(each), f"≤ {each['bound']:.2f}", each["verdict"]] for each in result["verdicts"]]
    parts.append(f"Bounds (missed only beyond {report.NOISE:.0%}, which is this kind of machine's own wobble)\n" + report.table(["", "measured", "bound", "verdict"], lines))
    if result["badRuns"]:
        parts.append(f"NOT VALID: {result['badRuns']} of {result['runs']} runs had answers other than 2xx or broken ones; see 'bad' in the rows.")
    parts.append(_method(about, result))
    return "\n" + "\n\n".join(parts)


def _method(about, result):
    pinning = "all nodes together on one core; upstream, load and Redis on another" if about["pinned"] else "NOT PINNED: this machine has one core"
    return (f"Method: {about['starts']} × {about['rounds']} rounds of {about['seconds']} s, order reversed each round; medians of rounds; ÷ is the median of the\n"
            f"per-round ratios [min–max]; {pinning};\n"
            f"{about['connectionsPerNode']} connections to each node, for nodes with {about['thinkMs']} ms between two requests of a connection, else without. CPU is utime + stime of\n"
            f"all threads of all nodes from /proc/PID/stat. Idle: {about['idleSeconds']} s.\n"
            f"{about['cpu']}, {about['cores']} cores, Linux {about['kernel']}; {about['java']}; {' '.join(about['nodeFlags'])}.\n"
            f"Other programs took {result['foreignCores']:.2f} cores in the median run; {result['noisyRuns']} of {result['runs']} runs had more than "
            f"{about['foreignCoresMax']} even after a repeat." + ("\n--quick: too short to judge by." if about["quick"] else ""))
