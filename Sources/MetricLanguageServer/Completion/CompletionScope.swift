/// What an expression may name where the cursor is.
struct CompletionScope {
  enum Place {
    /// `value`, `target`, `when`, `rest when` of a metric.
    case value
    /// The condition of an aggregate or step over a fact.
    case fact
    /// `for S where`, or a field that is computed.
    case condition
    /// Inside an aggregate over subjects.
    case subjectRow
  }

  var place = Place.value
  /// The record whose fields need no prefix.
  var row: RecordID?
  /// The entity that may be named by its subject's name; nil for `app`.
  var subject: RecordID?
}

extension Completer {
  func scope(in frames: [Awaited.Frame]) -> CompletionScope {
    guard let source = Completer.source(in: frames) else { return outside }
    if let record = plan.record(named: source) {
      return CompletionScope(place: .fact, row: record, subject: outside.subject)
    }
    guard let entity = analysis.subject(named: source) else { return outside }
    let isCalled = frames.contains { if case .call = $0 { true } else { false } }
    return CompletionScope(place: isCalled ? .subjectRow : .condition, row: entity, subject: entity)
  }

  /// What may be named in an expression that no call surrounds.
  private var outside: CompletionScope {
    if case .record(let record) = context.awaited.declaration,
      let row = plan.record(named: record.name.text)
    {
      return CompletionScope(place: .condition, row: row)
    }
    guard case .subject(let name, _)? = metric?.clause(.subject)?.content else { return CompletionScope() }
    return CompletionScope(subject: analysis.subject(named: name.text))
  }

  /// The record or subject whose rows a place is about.
  static func source(in frames: [Awaited.Frame]) -> String? {
    for case .rows(let source) in frames.reversed() { return source }
    return nil
  }

  /// The function of the innermost call and the argument that a place is in.
  static func call(in frames: [Awaited.Frame]) -> (function: String, argument: Int)? {
    for case .call(let function, let argument) in frames.reversed() { return (function, argument) }
    return nil
  }

  /// The aggregate whose source is asked for, if one is: functions of values have none.
  static func aggregate(in frames: [Awaited.Frame]) -> (function: String, argument: Int)? {
    for frame in frames.reversed() {
      switch frame {
      case .call(let function, let argument):
        if !Functions.scalars.contains(function) { return (function, argument) }
      case .rows, .given, .option, .group: return nil
      case .comparison: continue
      }
    }
    return nil
  }
}
