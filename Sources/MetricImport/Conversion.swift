/// An export of one kind on its way to records.
protocol Conversion {
  /// What was met on the way.
  var report: ImportReport { get }

  /// Reads the export from its start to its end, and gives the records to `output`.
  mutating func run(_ output: DatasetOutput) throws(ImportFailure)
}

extension Conversion {
  /// Does all of it, and says what was left out.
  func converted(to output: DatasetOutput) throws(ImportFailure) -> ImportReport {
    var conversion = self
    try conversion.run(output)
    return conversion.report
  }
}
