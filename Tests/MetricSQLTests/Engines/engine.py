"""Runs statements on an engine, many cases in one process.

engine.py ENGINE FILE: FILE is a JSON array of {"setup": [statement, ...], "queries": [statement, ...]}; the answer
on standard output is an array of {"rows": [[text or null, ...], ...]}, those of all queries, or {"error": text}.
ENGINE is sqlite, duckdb, clickhouse (chdb), postgres (the server that `METRICC_POSTGRES` names, as psql takes it) or spark (two threads of
this machine). Every case has a database of its own.
"""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile


def sqlite_cases(cases):
    import sqlite3

    for case in cases:
        connection = sqlite3.connect(":memory:")
        try:
            for statement in case["setup"]:
                connection.executescript(statement)
            yield [row for query in case["queries"] for row in connection.execute(query).fetchall()]
        except Exception as error:
            yield error
        connection.close()


def duckdb_cases(cases):
    import duckdb

    for case in cases:
        connection = duckdb.connect(config={"threads": 1})
        try:
            for statement in case["setup"]:
                connection.execute(statement)
            yield [row for query in case["queries"] for row in connection.execute(query).fetchall()]
        except Exception as error:
            yield error
        connection.close()


def postgres_cases(cases):
    """One psql a case; its tables are in a schema that goes with the transaction."""
    command = ["psql", "-X", "-q", "--csv", "-t", "-v", "ON_ERROR_STOP=1", "-d", os.environ["METRICC_POSTGRES"]]
    for case in cases:
        script = ["BEGIN; CREATE SCHEMA one_case; SET LOCAL search_path TO one_case;"]
        script += ["SET LOCAL jit = off;"] + case["setup"] + case["queries"] + ["ROLLBACK;"]
        run = subprocess.run(command, input="\n".join(script), capture_output=True, text=True)
        if run.returncode != 0:
            yield RuntimeError(run.stderr)
        else:
            yield list(csv.reader(io.StringIO(run.stdout)))


def spark_session(folder, master="local[2]"):
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.warehouse.dir": folder,
        # A case has a few rows: what pays on many is more than all the rest.
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        # The statements of the tests insert texts into columns of every type.
        "spark.sql.storeAssignmentPolicy": "LEGACY",
        "spark.driver.memory": os.environ.get("METRICC_SPARK_MEMORY", "6g"),
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def spark_cases(cases):
    folder = tempfile.mkdtemp(prefix="metricc-spark-")
    spark = spark_session(folder)
    try:
        for number, case in enumerate(cases):
            try:
                spark.sql(f"CREATE DATABASE case_{number}")
                spark.sql(f"USE case_{number}")
                rows = []
                for statements in case["setup"] + case["queries"]:
                    for statement in statements.split(";\n"):
                        if statement.strip():
                            rows += spark.sql(statement.rstrip().rstrip(";")).collect()
                yield rows
            except Exception as error:
                yield error
            spark.sql(f"DROP DATABASE IF EXISTS case_{number} CASCADE")
    finally:
        spark.stop()
        shutil.rmtree(folder, ignore_errors=True)


def clickhouse_cases(cases):
    from chdb import session

    engine = session.Session()
    engine.query("SET max_query_size = 100000000, max_ast_elements = 10000000, max_expanded_ast_elements = 10000000")
    for number, case in enumerate(cases):
        try:
            engine.query(f"CREATE DATABASE case_{number}")
            engine.query(f"USE case_{number}")
            for statements in case["setup"]:
                for statement in statements.split(";\n"):
                    if statement.strip():
                        engine.query(statement.rstrip().rstrip(";"))
            rows = []
            for query in case["queries"]:
                lines = str(engine.query(query.rstrip().rstrip(";"), "JSONCompactEachRow"))
                rows += [json.loads(line) for line in lines.splitlines()]
            yield rows
        except Exception as error:
            yield error
        engine.query(f"DROP DATABASE IF EXISTS case_{number}")


RUNNERS = {
    "sqlite": sqlite_cases,
    "duckdb": duckdb_cases,
    "clickhouse": clickhouse_cases,
    "postgres": postgres_cases,
    "spark": spark_cases,
}


def main():
    engine, path = sys.argv[1:]
    with open(path) as file:
        cases = json.load(file)
    answers = []
    for result in RUNNERS[engine](cases):
        if isinstance(result, Exception):
            answers.append({"error": str(result)})
        else:
            answers.append({"rows": [list(row) for row in result]})
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
