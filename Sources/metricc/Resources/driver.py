import csv
import json
import sys


def duckdb_sessions(address, is_small):
    import duckdb

    config = {"threads": 1} if is_small else {}
    while True:
        connection = duckdb.connect(address or ":memory:", read_only=bool(address), config=config)

        def rows(text):
            cursor = connection.execute(text)
            while batch := cursor.fetchmany(100000):
                yield from batch

        yield None, None, connection.execute, rows
        connection.close()


# A test has a few rows: what pays on many costs more than all the rest.
SMALL = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


def spark_sessions(address, is_small):
    from pyspark import SparkConf
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import lit

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.maxResultSize": "0",
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder
    given = dict(SparkConf().getAll())
    if address:
        builder = builder.master(address)
    elif "spark.master" not in given:
        builder = builder.master("local[*]")
    for name, value in {**settings, **(SMALL if is_small else {})}.items():
        if name not in given:
            builder = builder.config(name, value)
    spark = builder.getOrCreate()

    def run(text):
        return spark.sql(text.rstrip().rstrip(";"))

    def keep(relation):
        # Cuts the plan: Spark would plan and compute the relation again for each reader.
        run(relation["query"]).localCheckpoint().createOrReplaceTempView(relation["name"])

    def read(file):
        names = [column["name"] for column in file["columns"]]
        if file["format"] == "csv":
            options = {"header": True, "escape": '"', "multiLine": True, "nullValue": "", "emptyValue": ""}
            frame = spark.read.options(**options).csv(file["path"])
        elif file["format"] == "parquet":
            frame = spark.read.parquet(file["path"])
        else:
            types = ", ".join(f"`{column['name']}` {column['type']}" for column in file["columns"])
            frame = spark.read.schema(types).option("multiLine", file["format"] == "json").json(file["path"])
        found = {name.lower() for name in frame.columns}
        for name in names:
            if name.lower() not in found:
                frame = frame.withColumn(name, lit(None).cast("string"))
        frame.createOrReplaceTempView(f"`{file['record']}`")

    while True:
        yield read, keep, run, lambda text: run(text).toLocalIterator()


def clickhouse_sessions(address, is_small):
    from chdb import session

    engine = session.Session(address) if address else session.Session()
    limits = ["max_query_size", "max_ast_elements", "max_expanded_ast_elements"]
    engine.query("SET " + ", ".join(f"{name} = 100000000" for name in limits))
    database = engine.query("SELECT currentDatabase()", "TabSeparated").data().strip()

    def run(text):
        engine.query(text.rstrip().rstrip(";"))

    def rows(text):
        for chunk in engine.send_query(text.rstrip().rstrip(";"), "JSONCompactEachRow"):
            yield from (json.loads(line) for line in chunk.data().splitlines())

    def keep(relation):
        run(relation["creation"] + relation["query"])

    while True:
        yield None, keep, run, rows
        # Views and tables of the question: what is temporary hides the next question's.
        for name in engine.query("SHOW TEMPORARY TABLES", "TabSeparated").data().splitlines():
            engine.query(f"DROP TEMPORARY TABLE IF EXISTS `{name}`")


def answer(question, session, output):
    read, keep, run, rows = session
    try:
        for file in question["files"]:
            read(file)
        for statement in question["setup"]:
            run(statement)
    except Exception as error:
        for _ in question["queries"]:
            output.writerows([["metricc-query"], ["metricc-error", str(error)]])
        return
    for query in question["queries"]:
        output.writerow(["metricc-query"])
        try:
            for relation in query["relations"]:
                keep(relation)
            for row in rows(query["query"]):
                output.writerow(row)
        except Exception as error:
            output.writerow(["metricc-error", str(error)])


def main():
    engine, address, questions, path = sys.argv[1:]
    with open(questions, encoding="utf-8") as lines:
        asked = [json.loads(line) for line in lines]
    is_small = not any(question["isLarge"] for question in asked)
    sessions = {"duckdb": duckdb_sessions, "spark": spark_sessions, "clickhouse": clickhouse_sessions}
    with open(path, "w", encoding="utf-8", newline="") as file:
        output = csv.writer(file, lineterminator="\n")
        for question, session in zip(asked, sessions[engine](address, is_small)):
            answer(question, session, output)
            file.flush()


main()
