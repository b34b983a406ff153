#!/usr/bin/env python3
"""What more data takes: the hot queries of run.py and the general ones of general.py over ten times their rows.

    python3 Benchmarks/large.py                    # a hundred million rows, 27 GB of files; prints Markdown
    python3 Benchmarks/large.py --times 2 --query funnel --query habits
    python3 Benchmarks/large.py --check            # two hundred thousand rows: whether each result fits

Each row of the data of ten million stands in it as often as `--times` says, by other users, so that there are as many more
users, habits and entries. Where a query has rows for each of them, it has as many more; and where it counts, as many more
are counted. Whole processes are measured: seconds, processor seconds and the peak of memory, beside those of the ten million.
"""

import argparse
import csv
import glob
import os
import sys

import general
import measure
import run


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=float, default=1e7, help="rows that are multiplied (1e7)")
    parser.add_argument("--times", type=int, default=10, help="how often (10)")
    parser.add_argument("--check", action="store_true", help="1e5 rows twice, and no times; CI does this")
    parser.add_argument("--query", action="append", metavar="WORD", help="only queries whose name holds this word")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--data", default=os.path.join(run.HERE, ".data"), help="folder of the data and results")
    parser.add_argument("--metricc", help="a release build that is there already")
    chosen = parser.parse_args()
    if chosen.check:
        chosen.rows, chosen.times = 1e5, 2
    chosen.data = os.path.abspath(chosen.data)
    return chosen


def multiplied(path, times):
    """The file with each row so many times: the ids of the user, of the habit and of the entry get a digit more."""
    stem, extension = os.path.splitext(path)
    target = f"{stem}_times{times}{extension}"
    if os.path.exists(target):
        return target
    run.say(f"making {target}")
    is_entry = os.path.basename(path).startswith("entries")
    marks = [f".{number}" for number in range(times)]
    with open(path) as source, open(target + ".part", "w", buffering=1 << 20) as file:
        if extension == ".csv":
            file.write(source.readline())
        for line in source:
            if extension == ".ndjson":
                # {"id":"…","userId":"…","habitId":"…",…
                parts = line.split('"', 12)
                file.writelines(
                    '"'.join(part + mark if index in (3, 7, 11) else part for index, part in enumerate(parts))
                    for mark in marks)
            elif is_entry:
                entry, user, habit, rest = line.split(",", 3)
                file.writelines(f"{entry}{mark},{user}{mark},{habit}{mark},{rest}" for mark in marks)
            else:
                user, rest = line.split(",", 1)
                file.writelines(f"{user}{mark},{rest}" for mark in marks)
    os.rename(target + ".part", target)
    return target


def queries(chosen, metricc):
    """Each query: its name, the file of the ten million rows, and what makes the command over a file, with its result."""
    entries, events = general.data(chosen)
    for query in run.QUERIES:
        path = run.data_path(chosen, query)
        yield query.name, path, lambda path, query=query: run.commands(
            query, path, chosen, metricc, "", [], None)["metricc"]
    for name in sorted(os.path.basename(path)[: -len(".sql")] for path in glob.glob(os.path.join(general.QUERIES, "*.sql"))):
        with open(os.path.join(general.QUERIES, name + ".metric")) as file:
            path = entries if "HabitEntry" in file.read() else events
        yield name, path, lambda path, name=name: general.commands(
            name, chosen, metricc, sys.executable, path, path)["metricc"]


def values(path):
    """By what stands before it in its row, each value of a result; the added digit of a subject left out, summed up."""
    found = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            value = float({"true": 1, "false": 0, "": 0}.get(row["value"], row["value"]))
            key = (row["metric"], row["subject"].split(".")[0], row["group"], row["part"], row["at"])
            found[key] = found.get(key, 0) + value
    return found


def main():
    chosen = arguments()
    os.makedirs(chosen.data, exist_ok=True)
    metricc = run.build(chosen)
    is_right = True
    if not chosen.check:
        print(f"| query | seconds | cpu | MiB | seconds of 1/{chosen.times} | MiB | bytes a further row |")
        print("|---|---:|---:|---:|---:|---:|---:|")
    for name, path, command in queries(chosen, metricc):
        if chosen.query and not any(word in name for word in chosen.query):
            continue
        runs, results = [], []
        for data in (path, multiplied(path, chosen.times)):
            words, result = command(data)
            runs.append(measure.run(words))
            results.append(values(result) if chosen.check else None)
        small, large = runs
        if chosen.check:
            few, many = results
            # A count is as much more, also summed over subjects; a share or a percentile stays. A group that `at least`
            # hid may be there now.
            wrong = [key for key, value in few.items()
                     if min(abs(many.get(key, 0) - value * factor) for factor in (1, chosen.times)) > 1e-4]
            run.say(f"{name}: {'DIFFERS' if wrong or not few else 'fits'} ({len(few)} values) {wrong[:3] or ''}")
            is_right = is_right and bool(few) and not wrong
            continue
        further = (large.peak - small.peak) * 2**20 / (chosen.rows * (chosen.times - 1))
        print(f"| {name} | {large.wall:.1f} | {large.cpu:.1f} | {large.peak:,.0f} | {small.wall:.2f} | {small.peak:,.0f} "
              f"| {further:.0f} |", flush=True)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
