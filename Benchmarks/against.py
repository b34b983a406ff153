#!/usr/bin/env python3
"""Compares metricc with an earlier commit of itself: the hot queries of run.py and the general ones of general.py.

    python3 Benchmarks/against.py                  # with each good state of GOOD, ten million rows, five rounds
    python3 Benchmarks/against.py a1eba95          # with this commit
    python3 Benchmarks/against.py a1eba95 --quick --query funnel

Each commit is built in a worktree beside the data, as a release. The results have to be equal byte for byte. Both run in
turns as whole processes; a ratio above 1 means that the present state needs more. A change that is compared only with
the state before it hides a slow loss, so it is compared with the best that was.
"""

import argparse
import glob
import os
import statistics
import subprocess
import sys

import general
import measure
import run

# Commits that were the fastest at something, and what it was.
GOOD = {"a1eba95": "the hot queries", "aa64309": "the general queries"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commits", nargs="*", help="what to compare with (the good states)")
    parser.add_argument("--rows", type=float, default=1e7, help="entries, and events (1e7)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each state (5)")
    parser.add_argument("--quick", action="store_true", help="1e6 rows and 3 rounds")
    parser.add_argument("--check", action="store_true", help="1e5 rows, equality only, no times")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="for both")
    parser.add_argument("--query", action="append", metavar="WORD", help="only queries whose name holds this word")
    parser.add_argument("--data", default=os.path.join(run.HERE, ".data"), help="folder of the data and results")
    parser.add_argument("--metricc", help="a release build of the present state that is there already")
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.rows, chosen.rounds = 1e6, 3
    if chosen.check:
        chosen.rows = 1e5
    chosen.data = os.path.abspath(chosen.data)
    return chosen


def git(*words):
    return subprocess.run(["git", "-C", run.ROOT, *words], check=True, capture_output=True, text=True).stdout.strip()


def build(commit, chosen):
    """The release build of a commit, which stays for the next time."""
    name = git("rev-parse", "--short", commit + "^{commit}")
    folder = os.path.join(chosen.data, "commits", name)
    if not os.path.exists(folder):
        git("worktree", "add", "--detach", folder, name)
    run.say(f"building {name}")
    command = ["swift", "build", "-c", "release", "--product", "metricc", "--package-path", folder]
    command += ["--static-swift-stdlib"] if sys.platform == "linux" else []
    subprocess.run(command, check=True, stdout=sys.stderr)
    path = subprocess.run(command + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout
    return os.path.join(path.strip(), "metricc")


def queries(chosen):
    """By name, the words behind `metricc` but for `--output`."""
    found = {}
    for query in run.QUERIES:
        definitions = os.path.join(run.HERE, "queries", query.definitions + ".metric")
        found[query.name] = lambda query=query, definitions=definitions: [
            definitions, "--data", f"{query.record}={run.data_path(chosen, query)}", *query.arguments]
    for path in sorted(glob.glob(os.path.join(general.QUERIES, "*.metric"))):
        found[os.path.basename(path)[: -len(".metric")]] = lambda path=path: general_words(path, chosen)
    words = chosen.query or [""]
    return {name: make for name, make in found.items() if any(word in name for word in words)}


def general_words(path, chosen):
    with open(path) as file:
        source = file.read()
    entries, events = general.data(chosen)
    is_of_habits = "HabitEntry" in source
    record, data = ("HabitEntry", entries) if is_of_habits else ("AppEvent", events)
    return [path, "--data", f"{record}={data}", *source.splitlines()[0].removeprefix("//").split()]


def main():
    chosen = arguments()
    os.makedirs(chosen.data, exist_ok=True)
    now = run.build(chosen)
    is_equal = True
    for commit in chosen.commits or GOOD:
        is_equal = compare(commit, build(commit, chosen), now, chosen) and is_equal
    sys.exit(0 if is_equal else 1)


def compare(commit, before, now, chosen):
    """Prints a table of ratios; whether all results are equal."""
    states = {commit: before, "now": now}
    is_equal, ratios = True, {field: [] for field in ("wall", "cpu", "peak")}
    if not chosen.check:
        print(f"\n| query | {commit}: seconds / cpu / MiB | now | time | cpu | memory |\n|---|---:|---:|---:|---:|---:|")
    for name, words in queries(chosen).items():
        results = {state: os.path.join(chosen.data, f"against-{name}-{index}.csv") for index, state in enumerate(states)}
        commands = {
            state: [program, "eval", *words(), "--format", "csv", "--output", results[state], "--no-progress",
                    "--threads", str(chosen.threads)] for state, program in states.items()}
        for command in commands.values():
            measure.run(command)
        with open(results[commit], "rb") as one, open(results["now"], "rb") as other:
            same = one.read() == other.read()
        if not same or chosen.check:
            run.say(f"{name}: {'equal' if same else 'DIFFERS'}")
        is_equal = is_equal and same
        if chosen.check:
            continue
        rounds = {state: [] for state in states}
        for _ in range(chosen.rounds):
            for state, command in commands.items():
                rounds[state].append(measure.run(command))
        cells = [
            " / ".join(f"{measure.median(runs, field):.{digits}f}" for field, digits in (("wall", 2), ("cpu", 2), ("peak", 0)))
            for runs in rounds.values()]
        own = {}
        for field, all_ratios in ratios.items():
            pairs = zip(rounds["now"], rounds[commit])
            own[field] = statistics.median(getattr(one, field) / getattr(other, field) for one, other in pairs)
            all_ratios.append(own[field])
        print(f"| {name} | {cells[0]} | {cells[1]} | " + " | ".join(f"{value:.2f}×" for value in own.values()) + " |",
              flush=True)
    if ratios["wall"]:
        means = ", ".join(f"{field} {statistics.geometric_mean(values):.2f}×" for field, values in ratios.items())
        print(f"\nnow against {commit}, geometric means: {means}; slowest {max(ratios['wall']):.2f}×")
    return is_equal


if __name__ == "__main__":
    try:
        main()
    except measure.Failed as failure:
        sys.exit(f"a command failed: {failure}")
