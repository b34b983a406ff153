extension DatasetLoader {
  /// Reads the text files of an engine as `eval` would, and ends the run where it would refuse them: engines round a
  /// seventh digit, and take a number below its `min` or a record without its id.
  ///
  /// - Returns: the paths of those that only the engine can read: Parquet, packed files, patterns and addresses.
  static func check(
    _ data: EngineData, for metrics: [String], days: AskedDays, _ library: MetricLibrary
  ) throws(CommandFailure) -> [String] {
    var files: [DataFile] = []
    var others: [String] = []
    for file in data.files {
      if let format = DataFormat(path: file.path), FileStatus(path: file.path)?.kind == .file {
        let columns = data.names.columns[file.record] ?? [:]
        files.append(DataFile(record: file.record, path: file.path, format: format, columns: columns))
      } else {
        others.append(file.path)
      }
    }
    let plan = library.loadPlan(for: metrics, days: days)
    let loader = DatasetLoader(library: library, files: files, threads: EvalCommand.processorCount)
    _ = try loader.load(plan.schemas, plan: plan, needsLastDay: false)
    return others
  }
}
