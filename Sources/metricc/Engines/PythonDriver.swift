/// The program that Python runs to ask DuckDB, Spark or ClickHouse: `driver.py ENGINE ADDRESS QUESTIONS ANSWERS`.
///
/// QUESTIONS holds a question in JSON on each line, ANSWERS gets what `EngineTranscript` reads. Without an address a
/// question has a database of its own.
enum PythonDriver {
  static let source = String(decoding: PackageResources.driver_py, as: UTF8.self)
}
