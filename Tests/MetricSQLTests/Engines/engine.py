"""Runs statements on an engine, many cases in one process.

engine.py ENGINE FILE: FILE is a JSON array of {"setup": [statement, ...], "query": statement}; the answer on
standard output is an array of {"rows": [[text or null, ...], ...]} or {"error": text}.
"""

import json
import sys


def duckdb_cases(cases):
    import duckdb

    for case in cases:
        connection = duckdb.connect(config={"threads": 1})
        try:
            for statement in case["setup"]:
                connection.execute(statement)
            yield connection.execute(case["query"]).fetchall()
        except Exception as error:
            yield error
        connection.close()


def main():
    engine, path = sys.argv[1:]
    with open(path) as file:
        cases = json.load(file)
    runners = {"duckdb": duckdb_cases}
    answers = []
    for result in runners[engine](cases):
        if isinstance(result, Exception):
            answers.append({"error": str(result)})
        else:
            answers.append({"rows": [list(row) for row in result]})
    json.dump(answers, sys.stdout)


main()
