import MetricData
import MetricDiagnostics
import MetricEvaluate

// SKELETON of the façade; the lead writes the bodies.

public struct MetricSummary: Hashable, Sendable {
  public var name: String
  public var kind: String  // "streak"
  public var subject: String  // "habit", "app"
  public var audience: String  // "user", "team"
  public var unit: String?
  public var isAccepted: Bool
  /// Part names in order ("" for the metric's own value).
  public var parts: [String]
}

/// A library of definitions: parsed, resolved and checked.
public struct MetricLibrary: Sendable {
  /// The given sources, then the built-in records; `Span.file` is an index into it.
  public let sources: [SourceFile]
  /// All findings, in a stable order.
  public let findings: [Diagnostic]
  public let metrics: [MetricSummary]
  /// Names of all records, built-in ones included, and of the facts among them.
  public let recordNames: [String]
  public let factNames: [String]
  public var isAccepted: Bool { !findings.contains { $0.severity == .error } }

  public init(sources: [SourceFile]) {
    self.sources = sources
    findings = []
    metrics = []
    recordNames = []
    factNames = []
  }

  /// The tables that these metrics read (all metrics where `metrics` is empty), one schema a record.
  public func schemas(for metrics: [String]) -> [TableSchema] { [] }

  /// Only the DayKey column of a fact, to find the last day of a file.
  public func dayKeySchema(ofFact record: String) -> TableSchema? { nil }

  /// Every stored column of a record, to validate a whole dataset (`check --data`).
  public func fullSchema(of record: String) -> TableSchema? { nil }

  /// Rows sorted by metric, subject, group, part (in its own order), at.
  /// - Parameter tables: by record name; a record without a table is empty.
  public func evaluate(
    metrics: [String], subjects: [String], days: [DayKey], tables: [String: Table], pool: StringPool,
    threads: Int, progress: (@Sendable (_ done: Int, _ of: Int) -> Void)?
  ) throws(EvaluationError) -> [ResultRow] { [] }

  /// Runs the `test` blocks whose name contains `filter` (all where nil), in the order of the sources.
  public func runTests(filter: String?) -> [TestResult] { [] }
}

public struct TestFailure: Hashable, Sendable {
  /// Where the expectation (or the record at fault) stands.
  public var span: Span
  /// `expected daily_streak for "read" at 2026-01-05 = 0, got 4`
  public var message: String
}

public struct TestResult: Hashable, Sendable {
  public var name: String
  /// Where the test's name stands.
  public var span: Span
  public var expectationCount: Int
  public var failures: [TestFailure]
  public var passed: Bool { failures.isEmpty }
}
