import MetricDiagnostics
import MetricEvaluate

extension DiagnosticCode {
  // What is wrong with records only together; single values are D001–D026.
  static let bundleCycle = DiagnosticCode("D030", "bundle-cycle")
  static let bundleTooDeep = DiagnosticCode("D031", "bundle-too-deep")
  static let unitMismatch = DiagnosticCode("D032", "unit-mismatch")
  static let overflow = DiagnosticCode("D033", "overflow")
}

extension EvaluationError {
  /// The error as a finding about the dataset, at the file of the record that is at fault.
  func diagnostic(in dataset: Dataset) -> Diagnostic {
    func location(_ record: String) -> Location {
      .path(dataset.paths[record] ?? dataset.paths.values.sorted().first ?? "the dataset")
    }
    switch self {
    case .overflow(let metric, let subject, let day):
      let whose = subject.isEmpty ? "" : " for \(Quoting.quoted(subject))"
      return Diagnostic(
        .error, .overflow,
        "\(Quoting.quoted(metric))\(whose)\(day.map { " at \($0)" } ?? "") does not fit; numbers lie within ±9,000,000,000,000",
        at: .path(dataset.paths.values.sorted().first ?? "the dataset"), metric: metric)
    case .bundleCycle(let ids):
      return Diagnostic(
        .error, .bundleCycle, "a bundle holds itself: \(EvaluationError.chain(ids))",
        at: location("BundleMember"))
    case .bundleTooDeep(let ids):
      return Diagnostic(
        .error, .bundleTooDeep, "bundles nest more than 8 deep: \(EvaluationError.chain(ids))",
        at: location("BundleMember"))
    case .unitMismatch(let link, let goal, let habit, let goalUnit, let habitUnit):
      return Diagnostic(
        .error, .unitMismatch,
        "the `sum` link \(Quoting.quoted(link)) joins different units: "
          + "\(EvaluationError.unit(goalUnit)) of goal \(Quoting.quoted(goal)) and "
          + "\(EvaluationError.unit(habitUnit)) of habit \(Quoting.quoted(habit))",
        at: location("GoalLink"))
    }
  }

  private static func chain(_ ids: [String]) -> String {
    ids.map(Quoting.quoted).joined(separator: " → ")
  }

  private static func unit(_ unit: String) -> String {
    unit.isEmpty ? "no unit" : Quoting.quoted(unit)
  }
}
