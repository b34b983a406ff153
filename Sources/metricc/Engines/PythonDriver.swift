/// The program that Python runs to ask DuckDB or Spark: `driver.py ENGINE QUESTIONS ANSWERS`.
///
/// QUESTIONS holds a question in JSON on each line, ANSWERS gets a line for each as soon as it is answered.
enum PythonDriver {
  static let source = """
    import json
    import sys


    def duckdb_sessions():
        import duckdb

        while True:
            connection = duckdb.connect(config={"threads": 1})
            yield connection.execute, lambda text: connection.execute(text).fetchall()
            connection.close()


    def spark_sessions():
        from pyspark.sql import SparkSession

        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.session.timeZone": "UTC",
            # A test has a few rows: what pays on many costs more than all the rest.
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.adaptive.enabled": "false",
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.log.level": "ERROR",
        }
        builder = SparkSession.builder
        if "spark.master" not in dict(spark_defaults()):
            builder = builder.master("local[2]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        spark = builder.getOrCreate()

        def run(text):
            return spark.sql(text.rstrip().rstrip(";"))

        while True:
            yield run, lambda text: run(text).collect()


    def spark_defaults():
        from pyspark import SparkConf

        return SparkConf().getAll()


    def answer(query, ask):
        try:
            return {"rows": [list(row) for row in ask(query)]}
        except Exception as error:
            return {"error": str(error)}


    def answers(question, run, ask):
        try:
            for statement in question["setup"]:
                run(statement)
        except Exception as error:
            return [{"error": str(error)}] * len(question["queries"])
        return [answer(query, ask) for query in question["queries"]]


    def main():
        engine, questions, path = sys.argv[1:]
        sessions = {"duckdb": duckdb_sessions, "spark": spark_sessions}[engine]()
        with open(questions, encoding="utf-8") as lines, open(path, "w", encoding="utf-8") as output:
            for line, (run, ask) in zip(lines, sessions):
                output.write(json.dumps(answers(json.loads(line), run, ask)) + "\\n")
                output.flush()


    main()

    """
}
