"""Runs a dbt project day by day, as its windows are appended, and compares every metric with `metricc eval`.

incremental.py ENGINE METRICC [DAYS] [SYSTEM ...]: ENGINE is dbt (dbt-duckdb, the real program, `dbt` on the path),
duckdb, postgres or spark; the last three get the models from a small reading of dbt's templates. On Spark the facts are
Parquet, partitioned by day, and METRICC_SPARK_MASTER names a cluster.

Facts arrive late, are marked as deleted, and are removed; `since` is the earliest day on which one did. In the end
the stored windows equal those of a project that is computed at once. The exit status is 1 where something differs.
"""

import csv
import datetime
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import engine
import samples

LAST = datetime.date(2026, 6, 30)


class Facts:
    """The rows of a sample as they are known on a day."""

    def __init__(self, system):
        self.folder = samples.ROOT / "Definitions" / system
        text = "".join(path.read_text() for path in self.folder.glob("*.metric"))
        self.tombstones = dict.fromkeys(re.findall(r"(\w+)\s*:[^\n]*\btombstone", text))
        chance = random.Random(system)
        self.rows = {}
        for path in sorted((self.folder / "Sample").iterdir()):
            record = path.name.split(".")[0]
            if path.suffix in (".csv", ".ndjson", ".json"):
                # Who agreed, and who is who, is no matter of a day.
                is_fixed = record in ("Consent", "Identity")
                rows = samples.records(path.parent, record)
                self.rows[record] = [(row, (None,) * 3 if is_fixed else self.fate(row, chance)) for row in rows]

    def fate(self, row, chance):
        """When a row arrives, and when it is marked as deleted or removed."""
        day = row.get("dayKey", "")
        if day < str(LAST - datetime.timedelta(days=30)):
            return None, None, None
        arrival = datetime.date.fromisoformat(day) + datetime.timedelta(chance.choice([0, 0, 0, 0, 1, 2, 6]))
        deleted, removed = (
            str(arrival + datetime.timedelta(chance.randint(1, 9))) if chance.random() < 0.1 else None
            for _ in range(2)
        )
        return str(arrival), deleted, removed

    def known(self, record, today):
        for row, (arrival, deleted, removed) in self.rows[record]:
            if (arrival and arrival > today) or (removed and removed <= today):
                yield None
                continue
            row = dict(row)
            for field in self.tombstones:
                if field in row and arrival:
                    row[field] = f"{deleted}T10:00:00Z" if deleted and deleted <= today else ""
            yield row

    def changed(self, before, today):
        """The earliest day of a fact that is not what it was."""
        days = [today]
        for record in self.rows:
            for old, new in zip(self.known(record, before), self.known(record, today)):
                if old != new:
                    days.append((old or new)["dayKey"])
        return min(days)

    def write(self, folder, today, schema):
        for record, names in samples.tables(schema).items():
            if record not in self.rows:
                continue
            with open(folder / f"{record}.csv", "w", newline="") as file:
                output = csv.DictWriter(file, names, lineterminator="\n")
                output.writeheader()
                for row in self.known(record, today):
                    if row is not None:
                        output.writerow({name: row.get(name, "") for name in names})


class Templates:
    """The models of a project in the order in which they read each other, as an engine takes them."""

    def __init__(self, project):
        self.texts = {path.stem: path.read_text() for path in sorted(project.glob("models/**/*.sql"))}
        self.order = []
        for name in self.texts:
            self.add(name)

    def add(self, name):
        if name not in self.order:
            for other in re.findall(r"\{\{ ref\('(\w+)'\) \}\}", self.texts[name]):
                self.add(other)
            self.order.append(name)

    def text(self, name, variables, is_incremental, quote):
        text = re.sub(r"\{\{ config\(.*?\) \}\}\n", "", self.texts[name])
        branches = re.match(r"\{% if is_incremental\(\) %\}\n(.*)\{% else %\}\n(.*)\{% endif %\}\n", text, re.DOTALL)
        if branches:
            text = branches.group(1 if is_incremental else 2)
        text = re.sub(r"\{\{ ref\('(\w+)'\) \}\}", lambda found: quote(found.group(1)), text)
        text = re.sub(r"\{\{ source\('\w+', '(\w+)'\) \}\}", lambda found: quote(found.group(1)), text)
        text = re.sub(r'\{\{ var\("(\w+)"\) \}\}', lambda found: variables[found.group(1)], text)
        return text.replace("{{ '{' }}", "{")


class Engine:
    """Models as tables; those that are incremental lose the days `r` of their new rows before these are added."""

    quote = staticmethod(lambda name: f'"{name}"')
    cascade = ""

    def run(self, project, variables):
        templates = Templates(project)
        for name in templates.order:
            table, keeps_rows = self.quote(name), "is_incremental()" in templates.texts[name]
            is_incremental = keeps_rows and "since" in variables
            text = templates.text(name, variables, is_incremental, self.quote)
            if is_incremental:
                self.replace(table, text)
            else:
                self.execute(f"DROP TABLE IF EXISTS {table}")
                self.execute(f"CREATE TABLE {table} {self.storage(keeps_rows)} AS {text}")

    def storage(self, keeps_rows):
        return ""

    def load(self, folder, schema):
        """Tables of all records, empty where they have no file."""
        for table in schema.split("CREATE TABLE ")[1:]:
            self.execute(f"DROP TABLE IF EXISTS {table.split(' (')[0]}{self.cascade}")
            self.execute("CREATE TABLE " + table.strip().rstrip(";"))
        self.fill(folder, schema)

    def replace(self, table, text):
        self.execute(f'CREATE TEMPORARY TABLE "changed_rows" AS {text}')
        self.execute(f'DELETE FROM {table} WHERE r IN (SELECT r FROM "changed_rows")')
        self.execute(f'INSERT INTO {table} SELECT * FROM "changed_rows"')
        self.execute('DROP TABLE "changed_rows"')


class DuckDB(Engine):
    dialect = "duckdb"

    def __init__(self, path=":memory:"):
        import duckdb

        self.connection = duckdb.connect(path)

    def execute(self, text):
        self.connection.execute(text)

    def query(self, text):
        return self.connection.execute(text).fetchall()

    def fill(self, folder, schema):
        for path in folder.glob("*.csv"):
            read = f"read_csv('{path}', all_varchar = true)"
            self.execute(f'CREATE OR REPLACE TABLE "{path.stem}" AS SELECT * FROM {read}')


class Dbt(Engine):
    """The real program, beside a database in a file."""

    dialect = "duckdb"

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="metricc-dbt-"))
        self.path = self.folder / "facts.duckdb"
        output = {"type": "duckdb", "path": str(self.path), "threads": 1}
        profile = {"metrics": {"target": "test", "outputs": {"test": output}}}
        (self.folder / "profiles.yml").write_text(json.dumps(profile))

    def run(self, project, variables):
        command = ["dbt", "run", "--project-dir", project, "--profiles-dir", self.folder, "--vars", json.dumps(variables)]
        environment = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
        run = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=environment)
        if run.returncode:
            sys.exit(run.stdout[-4000:] + run.stderr)

    def load(self, folder, schema):
        DuckDB(self.path).load(folder, schema)

    def query(self, text):
        return DuckDB(self.path).query(text)


class PostgreSQL(Engine):
    dialect = "postgres"

    def __init__(self):
        self.statements = []

    def execute(self, text):
        self.statements.append(text + ";")

    def query(self, text):
        command = ["psql", "-X", "-q", "--csv", "-t", "-v", "ON_ERROR_STOP=1", "-d", os.environ["METRICC_POSTGRES"]]
        script = ["SET client_min_messages = error; SET jit = off;", *self.statements, text + ";"]
        self.statements = []
        run = subprocess.run(command, input="\n".join(script), capture_output=True, text=True)
        if run.returncode:
            sys.exit(run.stderr[-4000:])
        return list(csv.reader(run.stdout.splitlines()))

    cascade = " CASCADE"

    def fill(self, folder, schema):
        self.statements += samples.inserts(schema, folder, self.dialect)
        self.execute("ANALYZE")


class Spark(Engine):
    dialect = "spark"
    quote = staticmethod(lambda name: f"`{name}`")

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="metricc-spark-"))
        self.spark = engine.spark_session(str(self.folder), os.environ.get("METRICC_SPARK_MASTER", "local[2]"))
        self.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
        self.execute("CREATE DATABASE incremental")
        self.execute("USE incremental")

    def execute(self, text):
        self.spark.sql(text)

    def query(self, text):
        return self.spark.sql(text).collect()

    def storage(self, keeps_rows):
        return "USING parquet" + (" PARTITIONED BY (r)" if keeps_rows else "")

    def replace(self, table, text):
        self.execute(f"INSERT OVERWRITE {table} PARTITION (r) {text}")

    def fill(self, folder, schema):
        for path in folder.glob("*.csv"):
            frame = self.spark.read.options(header=True, escape='"', multiLine=True).csv(str(path))
            place = str(self.folder / "facts" / path.stem)
            days = ["dayKey"] if "dayKey" in frame.columns else []
            frame.write.mode("overwrite").partitionBy(*days).parquet(place)
            self.execute(f"DROP TABLE IF EXISTS {self.quote(path.stem)}")
            self.execute(f"CREATE TABLE {self.quote(path.stem)} USING parquet LOCATION '{place}'")
            if days:
                self.execute(f"MSCK REPAIR TABLE {self.quote(path.stem)}")


ENGINES = {"duckdb": DuckDB, "dbt": Dbt, "postgres": PostgreSQL, "spark": Spark}


def difference(found, wanted, what):
    """Whether two sets of rows are equal; says where not."""
    found, wanted = (sorted(tuple("" if cell is None else str(cell) for cell in row) for row in rows) for rows in (found, wanted))
    if found == wanted:
        return 0
    print(f"{what}: {len(found)} rows, expected {len(wanted)}", flush=True)
    for row in sorted(set(found) ^ set(wanted))[:6]:
        print("  found   " if row in found else "  expected", row, flush=True)
    return 1


def compare(name, metricc, system, days):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="metricc-incremental-"))
    definitions, facts, database = samples.ROOT / "Definitions" / system, Facts(system), ENGINES[name]()
    project, data = folder / "project", folder / "data"
    data.mkdir()
    sql = [metricc, "sql", str(definitions), "--dialect", database.dialect]
    samples.output(*sql, "--at-parameter", "--layout", "dbt", str(project))
    schema = samples.output(*sql, "--schema")
    stored = sorted(path.stem for path in project.glob("models/relations/*.sql") if "is_incremental()" in path.read_text())

    def query(models, columns):
        columns = ", ".join(database.quote(column) for column in columns)
        return [row for model in models for row in database.query(f"SELECT {columns} FROM {database.quote(model)}")]

    def windows():
        where = "subject IS NOT NULL"
        return [(model, *row) for model in stored for row in database.query(f"SELECT * FROM {database.quote(model)} WHERE {where}")]

    failures = compared = 0
    before = None
    for today in (str(LAST - datetime.timedelta(days=left)) for left in reversed(range(days))):
        facts.write(data, today, schema)
        database.load(data, schema)
        variables = {"at": today, **({"since": facts.changed(before, today)} if before else {})}
        database.run(project, variables)
        text = samples.output(metricc, "eval", str(definitions), "--data", str(data), "--at", today, "--format", "csv")
        expected = list(csv.reader(io.StringIO(text)))[1:]
        metrics = dict.fromkeys(row[0] for row in expected)
        failures += difference(query(metrics, samples.COLUMNS), expected, f"{system} on {today}")
        compared += len(expected)
        before = today
    appended = windows()
    database.run(project, {"at": today})
    failures += difference(appended, windows(), f"{system}: windows appended and at once")
    print(f"{system}: {compared} rows of {days} days, {len(appended)} windows in {len(stored)} tables, {failures} differences", flush=True)
    return failures


def main():
    name, metricc = sys.argv[1:3]
    days = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    systems = sys.argv[4:] or sorted(path.name for path in (samples.ROOT / "Definitions").iterdir() if path.is_dir())
    sys.exit(any([compare(name, os.path.abspath(metricc), system, days) for system in systems]))


main()
