import MetricPlan
import MetricSyntax

/// What an expression may name where the cursor is.
enum CompletionScope: Hashable {
  /// `value`, `target`, `when`, `rest when` of a metric for this subject; nil is `app`.
  case value(RecordID?)
  /// The condition of an aggregate or step over a fact.
  case fact(RecordID, subject: RecordID?)
  /// `for S where`
  case subjectCondition(RecordID)
  /// Inside an aggregate over subjects.
  case subjectRow(RecordID)
  case computed(RecordID)

  /// The record whose fields need no prefix.
  var row: RecordID? {
    switch self {
    case .value: nil
    case .fact(let record, _), .subjectCondition(let record), .subjectRow(let record), .computed(let record):
      record
    }
  }

  /// The entity that may be named by its subject's name.
  var subject: RecordID? {
    switch self {
    case .value(let subject), .fact(_, let subject): subject
    case .subjectCondition(let record), .subjectRow(let record): record
    case .computed: nil
    }
  }
}

extension Completer {
  func scope(in frames: [Awaited.Frame]) -> CompletionScope {
    guard let source = Completer.source(in: frames) else { return outside }
    if let record = analysis.recordIDs[source] { return .fact(record, subject: outside.subject) }
    guard let entity = analysis.subjectIDs[source] else { return outside }
    let isCalled = frames.contains { if case .call = $0 { true } else { false } }
    return isCalled ? .subjectRow(entity) : .subjectCondition(entity)
  }

  /// What may be named in an expression that no call surrounds.
  private var outside: CompletionScope {
    switch context.awaited.declaration {
    case .record(let record): analysis.recordIDs[record.name.text].map { .computed($0) } ?? .value(nil)
    case .metric(let metric): .value(subject(of: metric))
    case .test, .report, .language, .unexpected, nil: .value(nil)
    }
  }

  /// The entity of the `for` clause; nil for `app` and unknown ones.
  private func subject(of metric: MetricDeclaration) -> RecordID? {
    guard case .subject(let name, _)? = metric.clause(.subject)?.content else { return nil }
    return analysis.subjectIDs[name.text]
  }

  /// The record or subject whose rows a place is about.
  static func source(in frames: [Awaited.Frame]) -> String? {
    frames.lazy.reversed().compactMap { if case .rows(let source) = $0 { source } else { nil } }.first
  }

  /// The function of the innermost call and the argument that a place is in.
  static func call(in frames: [Awaited.Frame]) -> (function: String, argument: Int)? {
    frames.lazy.reversed().compactMap {
      if case .call(let function, let argument) = $0 { (function, argument) } else { nil }
    }.first
  }

  /// The aggregate whose source is asked for, if one is: functions of values have none.
  static func aggregate(in frames: [Awaited.Frame]) -> (function: String, argument: Int)? {
    for frame in frames.reversed() {
      switch frame {
      case .call(let function, let argument):
        if !scalars.contains(function) { return (function, argument) }
      case .rows, .given, .option, .group: return nil
      case .comparison: continue
      }
    }
    return nil
  }
}
