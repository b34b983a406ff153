"""Compares the samples of the five systems on an engine with `metricc eval`: every row, in order.

samples.py ENGINE METRICC [DAY] [SYSTEM ...]: ENGINE as engine.py takes it, METRICC is the program. Spark takes a
script; else one statement has all. The exit status is 1 where a row differs.
"""

import csv
import io
import json
import pathlib
import subprocess
import sys
import time

import engine

ROOT = pathlib.Path(__file__).resolve().parents[3]
COLUMNS = ["metric", "subject", "group", "part", "at", "value"]


def records(folder, record):
    """The rows of a record's files as dictionaries of texts; nothing for what is missing."""
    for path in sorted(folder.glob(f"{record}.*")):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".csv":
            yield from csv.DictReader(io.StringIO(text))
            continue
        if path.suffix == ".json":
            rows = json.loads(text, parse_float=str, parse_int=str)
        else:
            rows = [json.loads(line, parse_float=str, parse_int=str) for line in text.splitlines() if line]
        for row in rows:
            yield {name: "" if value is None else spelled(value) for name, value in row.items()}


def spelled(value):
    return str(value).lower() if isinstance(value, bool) else value


def quoted(text, dialect):
    mark = "`" if dialect == "spark" else '"'
    return mark + text.replace(mark, mark * 2) + mark


def constant(text, dialect):
    if not text:
        return "NULL"
    if dialect in ("spark", "clickhouse"):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return "'" + text.replace("'", "''") + "'"


def tables(schema):
    """By table of a printed schema its columns."""
    found = {}
    for table in schema.split("CREATE TABLE ")[1:]:
        lines = table.split(" (\n", 1)[1].split("\n)")[0].split(",\n  ")
        found[table.split(" (\n", 1)[0].strip('`"')] = [line.split()[0].strip('`"') for line in lines]
    return found


def inserts(schema, folder, dialect):
    """An INSERT for each table of a printed schema."""
    for record, fields in tables(schema).items():
        rows = [
            "(" + ", ".join(constant(row.get(field, ""), dialect) for field in fields) + ")"
            for row in records(folder, record)
        ]
        if rows:
            yield f"INSERT INTO {quoted(record, dialect)} VALUES\n" + ",\n".join(rows) + ";"


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def case(metricc, system, dialect, day):
    folder = ROOT / "Definitions" / system
    sql = [metricc, "sql", str(folder), "--dialect", dialect]
    schema = output(*sql, "--schema")
    text = output(metricc, "eval", str(folder), "--data", str(folder / "Sample"), "--at", day, "--format", "csv")
    expected = list(csv.reader(io.StringIO(text)))
    assert expected[0] == COLUMNS, expected[0]
    layout = ["--layout", "script"] if dialect == "spark" else []
    query = output(*sql, "--at", day, *layout)
    return {"setup": [schema, *inserts(schema, folder / "Sample", dialect)], "queries": [query]}, expected[1:]


def report(system, answer, expected, seconds):
    """Whether the rows are equal."""
    if isinstance(answer, Exception):
        print(f"{system}: error\n{str(answer)[:3000]}", flush=True)
        return False
    rows = [["" if value is None else value for value in row] for row in answer]
    if rows == expected:
        print(f"{system}: {len(rows)} rows, all equal ({seconds:.1f} s)", flush=True)
        return True
    different = [(found, wanted) for found, wanted in zip(rows, expected) if found != wanted]
    print(f"{system}: {len(rows)} rows, expected {len(expected)}; {len(different)} differ", flush=True)
    for found, wanted in different[:5]:
        print(f"  found    {found}\n  expected {wanted}", flush=True)
    return False


def main():
    dialect, metricc = sys.argv[1:3]
    day = sys.argv[3] if len(sys.argv) > 3 else "2026-06-30"
    systems = sys.argv[4:] or sorted(path.name for path in (ROOT / "Definitions").iterdir() if path.is_dir())
    cases = [case(metricc, system, dialect, day) for system in systems]
    start = time.monotonic()
    equal = True
    for system, answer, (_, expected) in zip(
        systems, engine.RUNNERS[dialect](found for found, _ in cases), cases
    ):
        equal = report(system, answer, expected, time.monotonic() - start) and equal
        start = time.monotonic()
    sys.exit(0 if equal else 1)


if __name__ == "__main__":
    main()
