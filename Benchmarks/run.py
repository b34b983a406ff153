#!/usr/bin/env python3
"""Compares metricc with other ways to the same numbers: whole processes, from file to file.

    python3 Benchmarks/run.py              # ten million rows, five rounds; prints Markdown
    python3 Benchmarks/run.py --quick      # one million rows, three rounds
    python3 Benchmarks/run.py --check      # a hundred thousand rows, equality only, no times

It generates the data, builds metricc, checks that every peer's result equals metricc's value by value, and
runs all of them in turns. The peers need a Python with these packages:

    python3 -m venv Benchmarks/.venv
    Benchmarks/.venv/bin/pip install duckdb polars chdb pandas numpy pyarrow

Benchmarks/.venv is used where it exists; `--python` names another one. A peer whose package is not there is
passed over, and said so.
"""

import argparse
import os
import shlex
import subprocess
import sys

import compare
import generate
import measure

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

# What to look up in the Python of the peers, for each of them.
PACKAGES = {
    "DuckDB": ["duckdb"], "Polars": ["polars"], "chDB": ["chdb"], "pandas": ["pandas", "pyarrow", "numpy"],
    "plain Python": [],
}
SCRIPTS = {
    "DuckDB": "duckdb_peer.py", "Polars": "polars_peer.py", "chDB": "chdb_peer.py", "pandas": "pandas_peer.py",
    "plain Python": "plain_python.py",
}


class Query:
    """One thing that is computed: its title, its data and how metricc is asked for it."""

    def __init__(self, name, title, kind, extension, definitions, record, arguments):
        self.name, self.title, self.kind, self.extension = name, title, kind, extension
        self.definitions, self.record, self.arguments = definitions, record, arguments


def metrics(*names):
    return [word for name in names for word in ("--metric", name)]


DAY = ["--at", "2026-06-30"]
SERIES = ["--from", "2025-07-01", "--to", "2026-06-30"]
HABITS = metrics(
    "completed", "current_streak", "best_streak", "momentum7", "weekly_completion", "weekly_streak", "total")

QUERIES = [
    Query("habits", "Habit metrics, CSV", "habits", "csv", "habits", "HabitEntry", DAY + HABITS),
    Query("habits-ndjson", "Habit metrics, NDJSON", "habits", "ndjson", "habits", "HabitEntry", DAY + HABITS),
    Query("funnel", "Ordered five-step funnel within 30 days", "funnel", "csv", "events", "AppEvent",
          DAY + metrics("onboarding")),
    Query("retention", "D1, D7 and D30 retention by cohort day", "retention", "csv", "events", "AppEvent",
          DAY + metrics("returning")),
    Query("actives", "Daily and rolling 28-day actives, 365 days", "actives", "csv", "events", "AppEvent",
          SERIES + metrics("daily_actives", "monthly_actives")),
    Query("actives-by-user", "The same, counted by users (`count(user where active28)`)", "actives", "csv",
          "events", "AppEvent", SERIES + metrics("daily_actives", "active_users")),
]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=float, default=1e7, help="entries, and events (1e7)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each system (5)")
    parser.add_argument("--quick", action="store_true", help="1e6 rows and 3 rounds")
    parser.add_argument("--check", action="store_true", help="1e5 rows, equality only")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="for all that take a number")
    parser.add_argument("--query", action="append", choices=[q.name for q in QUERIES], help="only these")
    parser.add_argument("--peer", action="append", choices=list(PACKAGES) + ["C"], help="only these")
    parser.add_argument("--data", default=os.path.join(HERE, ".data"), help="folder of the data and results")
    parser.add_argument("--python", help="the Python that has the peers' packages")
    parser.add_argument("--metricc", help="a release build that is there already")
    parser.add_argument("--limit-program", metavar="COMMAND",
                        help="another C program for the habit metrics, with {input}, {output} and {threads}; its "
                        "result is compared where it names the columns as the peers do")
    parser.add_argument("--output", help="writes the Markdown there too")
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.rows, chosen.rounds = 1e6, 3
    if chosen.check:
        chosen.rows = 1e5
    return chosen


def say(text):
    print(text, file=sys.stderr, flush=True)


def python_of_peers(chosen):
    own = os.path.join(HERE, ".venv", "bin", "python")
    return chosen.python or (own if os.path.exists(own) else sys.executable)


def present_peers(python, chosen):
    """The peers whose packages are there; says which are not, and what would bring them."""
    present, missing = [], []
    for name, packages in PACKAGES.items():
        if chosen.peer and name not in chosen.peer:
            continue
        code = "; ".join(f"import {package}" for package in packages) or "pass"
        found = subprocess.run([python, "-c", code], capture_output=True).returncode == 0
        (present if found else missing).append(name)
    if missing:
        say(f"NOT COMPARED, as {python} lacks their packages: {', '.join(missing)}")
        say("to have them: python3 -m venv Benchmarks/.venv && Benchmarks/.venv/bin/pip install "
            "duckdb polars chdb pandas numpy pyarrow")
    return present


def build(chosen):
    """The path of the release build of metricc."""
    if chosen.metricc:
        return chosen.metricc
    say("building metricc")
    command = ["swift", "build", "-c", "release", "--product", "metricc", "--package-path", ROOT]
    # As it is released: with the Swift libraries in it, it starts in half the time.
    command += ["--static-swift-stdlib"] if sys.platform == "linux" else []
    subprocess.run(command, check=True, stdout=sys.stderr)
    folder = subprocess.run(command + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout
    return os.path.join(folder.strip(), "metricc")


def build_limit(chosen):
    """The command of the C program, as a list with places for the files; None where there is no compiler."""
    if chosen.limit_program:
        return shlex.split(chosen.limit_program)
    compiler = next((c for c in ("cc", "gcc", "clang") if measure.which(c)), None)
    if compiler is None:
        say("NOT COMPARED, as there is no C compiler: C")
        return None
    program = os.path.join(chosen.data, "habits-limit")
    source = os.path.join(HERE, "limit", "habits.c")
    subprocess.run([compiler, "-O3", "-march=native", "-pthread", source, "-o", program], check=True)
    return [program, "{input}", "{output}", "{threads}"]


def data_path(chosen, query):
    """The file that a query reads; makes it where it is not there."""
    base = "entries" if query.kind == "habits" else "events"
    tag = {10**5: "100k", 10**6: "1m", 10**7: "10m"}.get(int(chosen.rows), str(int(chosen.rows)))
    path = os.path.join(chosen.data, f"{base}_{tag}.{query.extension}")
    if not os.path.exists(path):
        say(f"generating {path}")
        stem = os.path.join(chosen.data, f"{base}_{tag}")
        if base == "entries":
            generate.write_entries(int(chosen.rows), stem + ".csv.part", stem + ".ndjson.part")
            os.rename(stem + ".ndjson.part", stem + ".ndjson")
        else:
            generate.write_events(int(chosen.rows), stem + ".csv.part")
        os.rename(stem + ".csv.part", stem + ".csv")
    return path


def commands(query, path, chosen, metricc, python, peers, limit):
    """For each system its command and the file of its result; metricc comes first."""
    def result(name):
        return os.path.join(chosen.data, f"result-{query.name}-{name.replace(' ', '-')}.csv")

    found = {
        "metricc": [
            metricc, "eval", os.path.join(HERE, "queries", query.definitions + ".metric"), "--data",
            f"{query.record}={path}", "--format", "csv", "--output", result("metricc"), "--no-progress",
            "--threads", str(chosen.threads), *query.arguments,
        ]
    }
    if limit and query.name == "habits" and (not chosen.peer or "C" in chosen.peer):
        words = {"input": path, "output": result("C"), "threads": chosen.threads}
        found["C"] = [word.format(**words) for word in limit]
    for peer in peers:
        script = os.path.join(HERE, "peers", SCRIPTS[peer])
        found[peer] = [python, script, query.kind, path, result(peer), str(chosen.threads)]
    return {name: (command, result(name)) for name, command in found.items()}


def check(query, systems):
    """Runs every system once and compares; returns the runs and whether all are equal."""
    first, equal = {}, True
    for name, (command, result) in systems.items():
        if os.path.exists(result):
            os.remove(result)
        first[name] = measure.run(command)
    ours = compare.metricc_values(systems["metricc"][1], query.kind)
    for name, (_, result) in systems.items():
        if name == "metricc":
            continue
        different = compare.differences(ours, compare.peer_values(result, query.kind))
        say(f"{query.name}: {name} {'DIFFERS' if different else 'equal'} ({len(ours)} values)")
        for line in different[:5]:
            say(f"  metricc and {name}: {line}")
        equal = equal and not different and bool(ours)
    return equal


def table(query, rounds, threads):
    """The Markdown of one query."""
    yield f"\n### {query.title}\n"
    yield "| | seconds (median) | fastest | processor seconds | peak MiB | times metricc |"
    yield "|---|---:|---:|---:|---:|---:|"
    for name, runs in rounds.items():
        ratio = "" if name == "metricc" else f"{measure.paired_ratio(runs, rounds['metricc']):.2f}"
        yield (
            f"| {name} | {measure.median(runs, 'wall'):.3f} | {min(r.wall for r in runs):.3f} "
            f"| {measure.median(runs, 'cpu'):.3f} | {max(r.peak for r in runs):.0f} | {ratio} |")


def main():
    chosen = arguments()
    os.makedirs(chosen.data, exist_ok=True)
    python, metricc = python_of_peers(chosen), build(chosen)
    peers, limit = present_peers(python, chosen), build_limit(chosen)
    head = list(measure.machine(python, ["duckdb", "polars", "chdb", "pandas", "numpy", "pyarrow"]))
    # The rows are named before a run, so that a long one shows where it is.
    lines, equal = [], True
    for query in QUERIES:
        if chosen.query and query.name not in chosen.query:
            continue
        path = data_path(chosen, query)
        systems = commands(query, path, chosen, metricc, python, peers, limit)
        equal = check(query, systems) and equal
        if chosen.check:
            continue
        rounds = {name: [] for name in systems}
        for number in range(chosen.rounds):
            say(f"{query.name}: round {number + 1} of {chosen.rounds}")
            for name, (command, _) in systems.items():
                rounds[name].append(measure.run(command))
        lines += table(query, rounds, chosen.threads)
    if not chosen.check:
        report = [
            "## Figures", "",
            f"Measured with `python3 Benchmarks/run.py {' '.join(map(shlex.quote, sys.argv[1:]))}`".rstrip(" `") + "`:",
            f"{int(chosen.rows):,} entries and events, {chosen.rounds} rounds in turns, {chosen.threads} threads. The last "
            "column is the median of the ratios of neighbouring runs.", "",
            *(f"- {line}" for line in head), *lines,
        ]
        print("\n".join(report))
        if chosen.output:
            with open(chosen.output, "w") as file:
                file.write("\n".join(report) + "\n")
    if not equal:
        say("RESULTS DIFFER")
    return 0 if equal else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except measure.Failed as failure:
        sys.exit(f"a command failed: {failure}")
