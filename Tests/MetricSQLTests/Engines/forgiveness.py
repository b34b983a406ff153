"""Compares streaks that forgive with a reading by brute force (STR-06, STR-07), on every string of windows of a length.

forgiveness.py evaluator|ENGINE METRICC [LENGTH]: ENGINE as engine.py takes it, METRICC is the program. Each string of complete,
open and rest days is a habit of one dataset; the windows before it are open, so that the strings of length 12 (which it is
without LENGTH) stand for all shorter ones, too. Strings that begin alike are one dataset. The exit status is 1 where a row differs.
"""

import csv
import functools
import io
import itertools
import pathlib
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta

import engine
import samples

FORGIVENESS = [(1, 2), (1, 3), (2, 3), (2, 5), (3, 7), (1, 12), (4, 12), (11, 12)]
DAY = date(2026, 8, 12)
# Strings of a dataset differ in so many windows.
OPEN_LENGTH = 8

DEFINITIONS = """
fact Rest { id : ID  habitId : Habit  dayKey : DayKey }
completion done { for habit  every day  when count(HabitEntry) >= 1  rest when count(Rest) >= 1 }
""" + "".join(
    f"streak kind_{n}_{m} {{ of done  forgive {n} in {m} days }}\n"
    f"streak best_{n}_{m} {{ of done  best  forgive {n} in {m} days }}\n"
    for n, m in FORGIVENESS
)


def forgives(stretch, n, m):
    """Whether no m windows in a row, or fewer, hold more than n that are open."""
    return all(stretch[start : start + m].count(".") <= n for start in range(len(stretch)))


@functools.cache
def streak(windows, n, m):
    """The complete ones of the longest stretch that ends with window 0; the windows do not rest, window 0 first."""
    longest = next(end for end in range(len(windows), -1, -1) if forgives(windows[:end], n, m))
    return windows[:longest].count("#")


@functools.cache
def best(windows, n, m):
    return max([streak(windows[start:], n, m) for start in range(len(windows))], default=0)


def expected(string):
    """By metric and part what the language page says of a string, window 0 first."""
    windows = string.replace("-", "")
    for n, m in FORGIVENESS:
        yield f"best_{n}_{m}", "", best(windows, n, m)
        yield f"kind_{n}_{m}", "", streak(windows, n, m)
        yield f"kind_{n}_{m}", "left", max(0, n - (m - windows[:m].count("#")))


def write(folder, strings):
    (folder / "forgiveness.metric").write_text(DEFINITIONS)
    data = folder / "data"
    data.mkdir(exist_ok=True)
    files = {name: open(data / f"{name}.csv", "w") for name in ["Habit", "HabitEntry", "Rest"]}
    files["Habit"].write("id\n")
    for name in ["HabitEntry", "Rest"]:
        files[name].write("id,habitId,dayKey\n")
    for string in strings:
        files["Habit"].write(f"{string}\n")
        for index, mark in enumerate(string):
            if mark != ".":
                record = "HabitEntry" if mark == "#" else "Rest"
                files[record].write(f"{string}/{index},{string},{DAY - timedelta(index)}\n")
    for file in files.values():
        file.close()
    return data


def metrics():
    return [word for n, m in FORGIVENESS for word in ("--metric", f"kind_{n}_{m}", "--metric", f"best_{n}_{m}")]


def answer(kind, metricc, folder, data):
    definitions = str(folder / "forgiveness.metric")
    if kind == "evaluator":
        text = samples.output(
            metricc, "eval", definitions, "--data", str(data), "--at", str(DAY), "--format", "csv", *metrics()
        )
        return list(csv.reader(io.StringIO(text)))[1:]
    sql = [metricc, "sql", definitions, "--dialect", kind, *metrics()]
    schema = samples.output(*sql, "--schema")
    layout = ["--layout", "script"] if kind == "spark" else []
    query = samples.output(*sql, "--at", str(DAY), *layout)
    case = {"setup": [schema, *samples.inserts(schema, data, kind)], "queries": [query]}
    rows = next(iter(engine.RUNNERS[kind]([case])))
    if isinstance(rows, Exception):
        raise rows
    return rows


def main():
    kind, metricc = sys.argv[1:3]
    length = int(sys.argv[3]) if len(sys.argv) > 3 else 12
    start, count, wrong = time.monotonic(), 0, 0
    for head in itertools.product("#.-", repeat=max(0, length - OPEN_LENGTH)):
        tails = itertools.product("#.-", repeat=min(length, OPEN_LENGTH))
        strings = ["".join(head + tail) for tail in tails]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            rows = answer(kind, metricc, folder, write(folder, strings))
        found = {(row[0], row[1], row[3] or ""): int(row[5]) for row in rows}
        wanted = {(metric, string, part): value for string in strings for metric, part, value in expected(string)}
        different = [key for key in wanted.keys() | found.keys() if wanted.get(key) != found.get(key)]
        for key in sorted(different)[:5]:
            print(f"  {key}: found {found.get(key)}, expected {wanted.get(key)}", flush=True)
        count += len(wanted)
        wrong += len(different)
    seconds = time.monotonic() - start
    print(f"{kind}: {3 ** length} strings of {length}, {count} values, {wrong} differ ({seconds:.0f} s)")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
