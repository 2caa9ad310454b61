"""Turns rows of runs into medians, ratios and verdicts, and those into text."""

from statistics import median

# The machine itself wobbles by this much in a quiet state, so a bound counts as missed only beyond it.
NOISE = 0.15

METRICS = ("rps", "cpuUs", "p50Us", "p99Us", "rssMb", "firstP50Us", "firstP99Us", "firstOneWayP50Us", "firstOneWayP90Us")
NAMES = {"direct": "direct", "nginx": "nginx", "floor": "vertx-http-proxy", "sluice": "Sluice", "bounded": "Sluice, caps and limits"}
TITLES = {
    "whole-1": "Whole answers, 1 connection", "whole-16": "Whole answers, 16 connections", "whole-64": "Whole answers, 64 connections",
    "burst-16": "Canned streams of 50 chunks sent at once, 16 connections", "streams-200": "200 paced streams",
}
# (cell, what, against, bound, kind of ratio): the bounds of the issue.
BOUNDS = [
    ("whole-16", "CPU per request", "floor", 1.25, "cpu"), ("whole-16", "CPU per request", "nginx", 3.0, "cpu"),
    ("whole-64", "CPU per request", "floor", 1.25, "cpu"), ("whole-64", "CPU per request", "nginx", 3.0, "cpu"),
    ("whole-1", "added p50", "floor", 1.5, "added"),
    ("streams-200", "CPU per chunk", "floor", 1.25, "cpu"),
]
# What caps at four scopes and limits at five levels may add (issue: 5 %).
BOUNDED_CELLS, BOUNDED_MAX = ("whole-16", "whole-64", "streams-200"), 1.05


def _by_round(rows, cell):
    rounds = {}
    for row in rows:
        if row["cell"] == cell:
            rounds.setdefault((row["start"], row["round"]), {})[row["entrant"]] = row
    return list(rounds.values())


def _ratios(rounds, name, base, kind):
    values = []
    for each in rounds:
        if name not in each or base not in each:
            continue
        if kind == "added":
            direct = each["direct"]["p50Us"]
            above, below = each[name]["p50Us"] - direct, each[base]["p50Us"] - direct
        else:
            above, below = each[name]["cpuUs"], each[base]["cpuUs"]
        if below > 0:
            values.append(above / below)
    return {"median": median(values), "min": min(values), "max": max(values), "rounds": len(values)} if values else None


def verdict(value, bound):
    if value <= bound:
        return "pass"
    return "pass within noise" if value <= bound * (1 + NOISE) else "MISS"


def summarise(about, rows):
    cells, verdicts = {}, []
    for cell in dict.fromkeys(row["cell"] for row in rows):
        rounds = _by_round(rows, cell)
        entrants = {}
        for name in dict.fromkeys(row["entrant"] for row in rows):
            mine = [each[name] for each in rounds]
            entrants[name] = {metric: median(row[metric] for row in mine) for metric in METRICS if metric in mine[0]}
            entrants[name]["units"] = sum(row["units"] for row in mine)
            for base in ("nginx", "floor"):
                entrants[name][f"cpuOver_{base}"] = None if name == "direct" else _ratios(rounds, name, base, "cpu")
            entrants[name]["addedP50Us"] = median(each[name]["p50Us"] - each["direct"]["p50Us"] for each in rounds)
        cells[cell] = entrants
    has_sluice = any(row["entrant"] == "sluice" for row in rows)
    for cell, what, base, bound, kind in BOUNDS if has_sluice else []:
        ratio = _ratios(_by_round(rows, cell), "sluice", base, kind) if cell in cells else None
        if ratio:
            verdicts.append({"cell": cell, "what": what, "against": NAMES[base], "bound": bound, **ratio, "verdict": verdict(ratio["median"], bound)})
    for cell in BOUNDED_CELLS if has_sluice else ():
        ratio = _ratios(_by_round(rows, cell), "bounded", "sluice", "cpu") if cell in cells else None
        if ratio:
            verdicts.append({"cell": cell, "what": "CPU with caps and limits", "against": "Sluice without", "bound": BOUNDED_MAX, **ratio,
                             "verdict": verdict(ratio["median"], BOUNDED_MAX)})
    first = _first_chunk(cells, about) if has_sluice else None
    if first:
        verdicts.append(first)
    bad = [row for row in rows if row["bad"]]
    noisy = sum(row["foreignCores"] > about["foreignCoresMax"] for row in rows)
    return {"about": about, "cells": cells, "verdicts": verdicts, "badRuns": len(bad), "noisyRuns": noisy, "runs": len(rows),
            "missed": bool(bad) or any(each["verdict"] == "MISS" for each in verdicts), "rows": rows}


def _first_chunk(cells, about):
    """Held back would mean: it comes only with the second chunk, one interval later. Nine in ten must come well before that."""
    if "streams-200" not in cells:
        return None
    interval_us = about["chunkIntervalMs"] * 1000
    late = cells["streams-200"]["sluice"]["firstOneWayP90Us"]
    return {"cell": "streams-200", "what": "first chunk, upstream's write to client's read, p90", "against": "interval of chunks",
            "bound": 1.0, "median": late / interval_us, "min": None, "max": None, "rounds": None, "verdict": "pass" if late < interval_us else "MISS"}


def number(value):
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def ratio_text(value):
    return "–" if value is None else f"{value['median']:.2f} [{value['min']:.2f}–{value['max']:.2f}]"


def table(head, lines):
    widths = [max(len(str(line[i])) for line in [head, *lines]) for i in range(len(head))]
    def row(line):
        return "  ".join(str(cell).ljust(width) if i == 0 else str(cell).rjust(width) for i, (cell, width) in enumerate(zip(line, widths)))
    return "\n".join([row(head), "  ".join("-" * width for width in widths), *map(row, lines)])


def _cell_text(cell, entrants):
    streams = cell == "streams-200"
    head = ["", "chunks/s" if streams else "requests/s", "CPU µs/" + ("chunk" if streams else "request"), "÷ nginx", "÷ vertx-http-proxy"]
    head += ["chunk p50 µs", "chunk p99 µs", "first p50 µs", "first p99 µs"] if streams else ["p50 µs", "p99 µs", "added p50 µs"]
    lines = []
    for name, of in entrants.items():
        gateway = name != "direct"
        line = [NAMES[name], number(of["rps"]), number(of["cpuUs"] if gateway else None), ratio_text(of["cpuOver_nginx"]), ratio_text(of["cpuOver_floor"])]
        line += [number(of["p50Us"]), number(of["p99Us"])]
        line += [number(of["firstP50Us"]), number(of["firstP99Us"])] if streams else [number(of["addedP50Us"] if gateway else None)]
        lines.append(line + [number(of["rssMb"] if gateway else None)])
    return f"{TITLES[cell]}\n" + table(head + ["RSS MB"], lines)


def text(result):
    about = result["about"]
    parts = [_cell_text(cell, entrants) for cell, entrants in result["cells"].items()]
    if result["verdicts"]:
        lines = [[f"{each['cell']}: {each['what']} ÷ {each['against']}", f"{each['median']:.2f}", f"≤ {each['bound']:.2f}", each["verdict"]]
                 for each in result["verdicts"]]
        parts.append(f"Bounds (missed only beyond {NOISE:.0%}, which is this kind of machine's own wobble)\n"
                     + table(["Sluice", "measured", "bound", "verdict"], lines))
    else:
        parts.append("Sluice was left out: floors only, no bounds checked.")
    if result["badRuns"]:
        parts.append(f"NOT VALID: {result['badRuns']} of {result['runs']} runs had answers other than 2xx, broken or cut; see 'bad' in the rows.")
    parts.append(_method(about, result))
    return "\n" + "\n\n".join(parts)


def _method(about, result):
    pinning = "gateway alone on one core, upstream and load on another" if about["pinned"] else "NOT PINNED: this machine has one core"
    warm = ", ".join(f"{NAMES[name]} {min(sent):,}" for name, sent in about["warmRequests"].items())
    loops = ", ".join(f"{NAMES[name]} {count}" for name, count in about["eventLoops"].items())
    return (f"Method: {about['starts']} × {about['rounds']} rounds of {about['seconds']} s, order reversed each round; medians of rounds; ÷ is the median of the\n"
            f"per-round ratios [min–max]; {pinning};\n"
            "CPU is utime + stime of all threads from /proc/PID/stat. Latency is wrk's (closed loop: not what a fixed rate would see), for streams the\n"
            f"one-way time of a chunk. Streams: {about['chunksPerStream']} chunks, one per {about['chunkIntervalMs']} ms. Warm-up requests: {warm}; then every cell once.\n"
            f"{about['cpu']}, {about['cores']} cores, Linux {about['kernel']}; {about['java']}; {' '.join(about['gatewayFlags'])};\n"
            f"transport of the floor: {about['transport']}; event loop threads: {loops}.\n"
            f"{result['noisyRuns']} of {result['runs']} runs had more than {about['foreignCoresMax']} cores taken by other programs even after a repeat."
            + ("\n--quick: too short to judge by." if about["quick"] else ""))
