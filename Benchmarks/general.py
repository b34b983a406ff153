#!/usr/bin/env python3
"""Compares metricc with DuckDB on what has no fold: groups, percentiles, thresholds, funnels in any and strict order,
and series of windows for each user.

    python3 Benchmarks/general.py                  # ten million rows, three rounds; prints Markdown
    python3 Benchmarks/general.py --quick          # one million rows
    python3 Benchmarks/general.py --check          # a hundred thousand rows, equality only, no times
    python3 Benchmarks/general.py funnel percent   # queries whose name holds one of the words

Each query is a definition in `general/NAME.metric` and hand-written SQL in `general/NAME.sql`. The values of both
results have to be the same, whatever their order. Both run in turns as whole processes, from CSV to CSV.
"""

import argparse
import csv
import glob
import os
import statistics
import subprocess
import sys
import zlib

import compare
import generate
import measure
import run

HERE = os.path.dirname(os.path.abspath(__file__))
QUERIES = os.path.join(HERE, "general")
COUNTRIES = "de fr us uk es it jp br in cn se pl".split()

# The tables that the SQL reads, with the same columns and types that the definitions declare.
VIEWS = """
CREATE VIEW events AS SELECT * FROM read_csv('{events}', auto_detect=false, header=true, delim=',', quote='"',
  columns={{'userId': 'VARCHAR', 'event': 'VARCHAR', 'dayKey': 'DATE', 'timestampUtc': 'TIMESTAMP',
  'country': 'VARCHAR', 'version': 'VARCHAR', 'amount': 'DOUBLE'}});
CREATE VIEW entries AS SELECT * FROM read_csv('{entries}', auto_detect=false, header=true, delim=',', quote='"',
  columns={{'id': 'VARCHAR', 'userId': 'VARCHAR', 'habitId': 'VARCHAR', 'dayKey': 'DATE', 'timestampUtc': 'VARCHAR',
  'value': 'DOUBLE', 'deletedAt': 'VARCHAR'}}) WHERE deletedAt IS NULL;
"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only queries whose name holds one of these")
    parser.add_argument("--rows", type=float, default=1e7, help="entries, and events (1e7)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each system (3)")
    parser.add_argument("--quick", action="store_true", help="1e6 rows")
    parser.add_argument("--check", action="store_true", help="1e5 rows, equality only")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="for both")
    parser.add_argument("--data", default=os.path.join(HERE, ".data"), help="folder of the data and results")
    parser.add_argument("--python", help="the Python that has duckdb")
    parser.add_argument("--metricc", help="a release build that is there already")
    chosen = parser.parse_args()
    chosen.rows = 1e5 if chosen.check else 1e6 if chosen.quick else chosen.rows
    return chosen


def data(chosen):
    """The files of the entries, and of the events with a country, a version and an amount; made where they are not
    there. What is added depends on the user, the day and the instant alone."""
    count = int(chosen.rows)
    tag = {10**5: "100k", 10**6: "1m", 10**7: "10m"}.get(count, str(count))
    entries, plain, events = (os.path.join(chosen.data, f"{name}_{tag}.csv") for name in
                              ("entries", "events", "events_properties"))
    if not os.path.exists(entries):
        stem = entries[: -len(".csv")]
        generate.write_entries(count, stem + ".csv.part", stem + ".ndjson.part")
        os.rename(stem + ".ndjson.part", stem + ".ndjson")
        os.rename(stem + ".csv.part", entries)
    if not os.path.exists(plain):
        generate.write_events(count, plain + ".part")
        os.rename(plain + ".part", plain)
    if not os.path.exists(events):
        with open(plain) as source, open(events + ".part", "w") as target:
            target.write(source.readline().strip() + ",country,version,amount\n")
            for line in source:
                line = line.rstrip("\n")
                user, _, day, instant = line.split(",")
                dice = zlib.crc32(line.encode())
                country = COUNTRIES[zlib.crc32(user.encode()) % 12]
                version = "" if dice % 20 == 0 else f"v{zlib.crc32((user + day).encode()) % 9}"
                amount = "" if dice % 10 == 3 else f"{zlib.crc32(instant.encode()) % 6000 / 100:.2f}"
                target.write(f"{line},{country},{version},{amount}\n")
        os.rename(events + ".part", events)
    return entries, events


def commands(name, chosen, metricc, python, entries, events):
    """For each system its command and the file of its result."""
    with open(os.path.join(QUERIES, name + ".metric")) as file:
        source = file.read()
    # The first line says which days and metrics are asked for.
    options = source.splitlines()[0].removeprefix("//").split()
    record = "HabitEntry" if "HabitEntry" in source else "AppEvent"
    with open(os.path.join(QUERIES, name + ".sql")) as file:
        sql = file.read()
    ours, theirs = (os.path.join(chosen.data, f"general-{name}-{system}.csv") for system in ("metricc", "duckdb"))
    *setup, query = [part.strip() for part in sql.split(";") if part.strip()]
    program = (
        f"import duckdb\nc = duckdb.connect()\nc.execute('SET threads={chosen.threads}')\n"
        f"c.execute('SET preserve_insertion_order=false')\n"
        f"c.execute({VIEWS.format(events=events, entries=entries)!r})\n"
        + "".join(f"c.execute({part!r})\n" for part in setup)
        + f"c.execute({f'COPY ({query}) TO {theirs!r} (HEADER)'!r})\n")
    script = os.path.join(chosen.data, f"general-{name}.py")
    with open(script, "w") as file:
        file.write(program)
    return {
        "metricc": ([metricc, "eval", os.path.join(QUERIES, name + ".metric"), "--data",
                     f"{record}={entries if record == 'HabitEntry' else events}", *options,
                     "--format", "csv", "--output", ours, "--no-progress", "--threads", str(chosen.threads)], ours),
        "DuckDB": ([python, script], theirs),
    }


def values(path, is_ours):
    """The values in their order: metricc has a row a value, the SQL a column `value` or several `value…`. Zeros are
    left out, as SQL has no row for what never happened."""
    found = []
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            # The rate or the mean of a retention is the quotient of the two parts before it.
            if is_ours and row["part"].endswith((".rate", ".mean")):
                continue
            found += [float(value) for column, value in row.items() if column.startswith("value") and value]
    return sorted(value for value in found if value != 0)


def are_equal(ours, theirs):
    """DuckDB computes with binary floating point, so one system may have rounded to zero what the other has not."""
    size = max(len(ours), len(theirs))
    padded = [sorted(values + [0.0] * (size - len(values))) for values in (ours, theirs)]
    return min(len(ours), len(theirs)) > 0 and all(
        abs(one - other) < compare.TOLERANCE for one, other in zip(*padded))


def main():
    chosen = arguments()
    os.makedirs(chosen.data, exist_ok=True)
    python = run.python_of_peers(chosen)
    if subprocess.run([python, "-c", "import duckdb"], capture_output=True).returncode != 0:
        return run.say(f"NOT COMPARED, as {python} lacks duckdb")
    metricc = run.build(chosen)
    entries, events = data(chosen)
    names = sorted(os.path.basename(path)[: -len(".sql")] for path in glob.glob(os.path.join(QUERIES, "*.sql")))
    names = [name for name in names if not chosen.words or any(word in name for word in chosen.words)]
    is_equal, ratios = True, []
    if not chosen.check:
        print("| query | metricc seconds / MiB | DuckDB seconds / MiB | DuckDB takes |\n|---|---:|---:|---:|")
    for name in names:
        systems = commands(name, chosen, metricc, python, entries, events)
        for command, _ in systems.values():
            measure.run(command)
        ours, theirs = (values(result, system == "metricc") for system, (_, result) in systems.items())
        if not are_equal(ours, theirs):
            is_equal = False
            differences = [pair for pair in zip(ours, theirs) if abs(pair[0] - pair[1]) >= compare.TOLERANCE]
            run.say(f"{name}: DIFFERS: {len(ours)} values and {len(theirs)}; {differences[:3]}")
        elif chosen.check:
            run.say(f"{name}: equal ({len(ours)} values)")
        if chosen.check:
            continue
        rounds = {system: [] for system in systems}
        for _ in range(chosen.rounds):
            for system, (command, _) in systems.items():
                rounds[system].append(measure.run(command))
        ratios.append(measure.paired_ratio(rounds["DuckDB"], rounds["metricc"]))
        cells = [f"{measure.median(runs, 'wall'):.2f} / {max(r.peak for r in runs):.0f}" for runs in rounds.values()]
        print(f"| {name} | {cells[0]} | {cells[1]} | {ratios[-1]:.2f}× |", flush=True)
    if ratios:
        print(f"\ngeometric mean {statistics.geometric_mean(ratios):.2f}×, least {min(ratios):.2f}×")
    sys.exit(0 if is_equal else 1)


if __name__ == "__main__":
    main()
