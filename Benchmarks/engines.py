#!/usr/bin/env python3
"""Compares the SQL that metricc writes with SQL that a person wrote, on the same engine.

    python3 Benchmarks/engines.py duckdb              # the queries of general.py, a million rows, three rounds
    python3 Benchmarks/engines.py spark               # the habit metrics; also counts what the plan is made of
    python3 Benchmarks/engines.py duckdb --rows 1e7 funnel

The values of both have to be the same. Both run in turns as whole processes, from the same files to CSV; on Spark in one
session from Parquet, partitioned by day. METRICC names the program; `--python` a Python with duckdb or pyspark.
"""

import argparse
import glob
import os
import statistics
import subprocess
import sys
import time

import general
import measure
import run

HERE = os.path.dirname(os.path.abspath(__file__))
DAY = "2026-06-30"

# The tables that the definitions read.
TABLES = general.VIEWS.replace("VIEW events", 'VIEW "AppEvent"').replace("VIEW entries", 'VIEW "HabitEntry"').replace(
    " WHERE deletedAt IS NULL", "")

# Per user and habit, as the metrics of queries/habits.metric; `d` is how many days before the reference day.
HABITS = """
WITH e0 AS (
  SELECT habitId, datediff(DATE '2026-06-30', dayKey) AS d, value FROM HabitEntry
  WHERE deletedAt IS NULL AND dayKey <= DATE '2026-06-30'
),
e AS (SELECT habitId, d, sum(value) AS v FROM e0 GROUP BY habitId, d),
g AS (SELECT *, d - row_number() OVER (PARTITION BY habitId ORDER BY d) AS grp FROM e),
r AS (
  SELECT habitId, grp, count(*) AS len, min(d) AS mn, sum(CASE WHEN d < 7 THEN 1 ELSE 0 END) AS m7, sum(v) AS v
  FROM g GROUP BY habitId, grp
),
a AS (
  SELECT habitId, sum(len) AS completed, max(CASE WHEN mn = 0 THEN len ELSE 0 END) AS current_streak,
    max(len) AS best_streak, sum(m7) AS momentum7, sum(v) AS total FROM r GROUP BY habitId
),
w AS (SELECT habitId, d DIV 7 AS w, count(*) AS c FROM e GROUP BY habitId, d DIV 7),
x AS (
  SELECT *, sum(CASE WHEN c >= 3 THEN 1 ELSE 0 END)
    OVER (PARTITION BY habitId ORDER BY w ROWS UNBOUNDED PRECEDING) - 1 AS rn FROM w
),
y AS (
  SELECT habitId, max(CASE WHEN w = 0 THEN least(c, 3) / 3.0 ELSE 0 END) AS weekly_completion,
    sum(CASE WHEN c >= 3 AND w = rn THEN 1 ELSE 0 END) AS weekly_streak FROM x GROUP BY habitId
)
SELECT a.habitId, completed AS value1, current_streak AS value2, best_streak AS value3, momentum7 AS value4,
  weekly_completion AS value5, weekly_streak AS value6, total AS value7
FROM a JOIN y ON a.habitId = y.habitId
"""
HABIT_METRICS = "completed current_streak best_streak momentum7 weekly_completion weekly_streak total".split()


def written(source, dialect, *options):
    """The statement that metricc writes."""
    program = os.environ.get("METRICC", os.path.join(HERE, "..", ".build", "debug", "metricc"))
    command = [program, "sql", *source, "--dialect", dialect, *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.rstrip().rstrip(";")


def empty_tables(source, dialect):
    """Statements that make the tables of entities, without a row."""
    tables = ("CREATE TABLE " + text.strip() for text in written(source, dialect, "--schema").split("CREATE TABLE ")[1:])
    return [text.rstrip(";") for text in tables if "AppEvent" not in text[:30] and "HabitEntry" not in text[:30]]


def duckdb_program(chosen, setup, query, result, name):
    path = os.path.join(chosen.data, f"engines-{name}.py")
    with open(path, "w") as file:
        file.write(f"import duckdb\nc = duckdb.connect()\nc.execute('SET threads={chosen.threads}')\n")
        file.write("c.execute('SET preserve_insertion_order=false')\n")
        file.writelines(f"c.execute({part!r})\n" for part in [*setup, f"COPY ({query}) TO '{result}' (HEADER)"])
    return path


def duckdb(chosen):
    entries, events = general.data(chosen)
    names = sorted(os.path.basename(path)[:-4] for path in glob.glob(os.path.join(general.QUERIES, "*.sql")))
    print("| query | by hand: seconds / MiB | metricc: seconds / MiB | time | memory |\n|---|---:|---:|---:|---:|")
    ratios = []
    for name in names:
        if chosen.words and not any(word in name for word in chosen.words):
            continue
        source = os.path.join(general.QUERIES, name + ".metric")
        with open(source) as file:
            options = file.readline().removeprefix("//").split()
        *setup, query = [part.strip() for part in open(source[:-7] + ".sql").read().split(";") if part.strip()]
        results = {who: os.path.join(chosen.data, f"engines-{who}.csv") for who in ("hand", "metricc")}
        tables = {"entries": entries, "events": events}
        programs = {
            "hand": duckdb_program(
                chosen, [general.VIEWS.format(**tables), *setup], query, results["hand"], "hand"),
            "metricc": duckdb_program(
                chosen, [TABLES.format(**tables), *empty_tables([source], "duckdb")], written([source], "duckdb", *options), results["metricc"],
                "metricc"),
        }
        rounds = {who: [] for who in programs}
        for _ in range(chosen.rounds):
            for who, program in programs.items():
                rounds[who].append(measure.run([chosen.python, program]))
        if not general.are_equal(general.values(results["metricc"], True), general.values(results["hand"], False)):
            run.say(f"{name}: DIFFERS")
            continue
        peaks = {who: max(r.peak for r in runs) for who, runs in rounds.items()}
        ratio = (measure.paired_ratio(rounds["metricc"], rounds["hand"]), peaks["metricc"] / peaks["hand"])
        ratios.append(ratio)
        cells = " | ".join(f"{measure.median(r, 'wall'):.2f} / {peaks[who]:.0f}" for who, r in rounds.items())
        print(f"| {name} | {cells} | {ratio[0]:.2f}× | {ratio[1]:.2f}× |", flush=True)
    means = [statistics.geometric_mean(column) for column in zip(*ratios)]
    print(f"| geometric mean | | | {means[0]:.2f}× | {means[1]:.2f}× |")


def plan(session, statements):
    """How often the plans of statements read files, exchange rows, and join."""
    counts = dict.fromkeys(("FileScan", "Exchange", "SortMergeJoin", "BroadcastHashJoin", "BroadcastNestedLoopJoin"), 0)
    for statement in statements:
        text = session.sql("EXPLAIN " + statement).collect()[0][0]
        for word in counts:
            counts[word] += sum(f"{word} " in line and "Reused" not in line for line in text.splitlines())
    return counts


def spark(chosen):
    from pyspark.sql import SparkSession

    entries, _ = general.data(chosen)
    builder = SparkSession.builder.master(f"local[{chosen.threads}]").config("spark.sql.shuffle.partitions", "4")
    settings = {
        "driver.memory": "4g", "ui.enabled": "false", "sql.session.timeZone": "UTC", "ui.showConsoleProgress": "false",
        "sql.warehouse.dir": os.path.join(chosen.data, "warehouse"), "log.level": "ERROR",
    }
    for name, value in settings.items():
        builder = builder.config("spark." + name, value)
    session = builder.getOrCreate()
    place = entries[:-4] + ".parquet"
    if not os.path.exists(place):
        types = "id string, userId string, habitId string, dayKey date, timestampUtc timestamp, value decimal(19,6)"
        frame = session.read.schema(types + ", deletedAt timestamp").option("header", True).csv(entries)
        frame = frame.selectExpr("*", "substr(CAST(dayKey AS STRING), 1, 7) AS month")
        frame.repartition(2, "month").write.partitionBy("month").parquet(place)
    session.read.parquet(place).createOrReplaceTempView("HabitEntry")
    source = [os.path.join(HERE, "queries", "habits.metric")]
    for table in empty_tables(source, "spark"):
        session.sql(table)
    metrics = [part for name in HABIT_METRICS for part in ("--metric", name)]
    script = written(source, "spark", "--at", DAY, "--layout", "script", *metrics).split(";\n")
    ours = [statement.strip() for statement in script if statement.strip()]
    found = {}
    times = {"hand": [], "metricc": []}
    for _ in range(chosen.rounds + 1):
        for who, statements in (("hand", [HABITS]), ("metricc", ours)):
            start = time.monotonic()
            found[who] = [row for statement in statements for row in session.sql(statement).collect()]
            times[who].append(time.monotonic() - start)
    hand = sorted(float(value) for row in found["hand"] for value in row[1:] if value)
    own = sorted(float(row["value"]) for row in found["metricc"] if row["value"] not in ("", "0"))
    # EXPLAIN needs the tables.
    made = [statement for statement in ours if not statement.startswith("DROP TABLE ")]
    for statement in made:
        if statement.startswith("CREATE TABLE "):
            session.sql(statement)
    queries = [text.split(" USING parquet AS\n", 1)[-1] for text in made if not text.startswith("DROP")]
    ratio = statistics.median(one / other for one, other in zip(times["metricc"][1:], times["hand"][1:]))
    print(f"{len(hand)} values, equal: {general.are_equal(own, hand)}")
    for who, statements in (("hand", [HABITS]), ("metricc", queries)):
        print(f"{who}: {statistics.median(times[who][1:]):.2f} s, {plan(session, statements)}")
    print(f"{ratio:.2f}×")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", choices=["duckdb", "spark"])
    parser.add_argument("words", nargs="*", help="only queries whose name holds one of these")
    parser.add_argument("--rows", type=float, default=1e6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--data", default=os.path.join(HERE, ".data"))
    parser.add_argument("--python", default=sys.executable)
    chosen = parser.parse_intermixed_args()
    os.makedirs(chosen.data, exist_ok=True)
    {"duckdb": duckdb, "spark": spark}[chosen.engine](chosen)


main()
