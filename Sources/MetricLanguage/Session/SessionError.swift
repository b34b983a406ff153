import MetricEvaluate

/// Why a session refuses records or has no answer. Nothing has changed then.
public enum SessionError: Error, Hashable, Sendable {
  /// There is no such metric among the session's; perhaps the nearest name was meant.
  case unknownMetric(String, nearest: String?)
  /// The session was made for other metrics.
  case omittedMetric(String)
  /// The library rejects the metric.
  case rejectedMetric(String)
  /// Nothing is ahead of a metric of this kind.
  case nothingAhead(String, kind: String)
  case unknownPart(String, metric: String, parts: [String])
  /// No record names the subject; the metric is empty if all were requested. The entity is nil if the metric has one
  /// value for all.
  case unknownSubject(String, metric: String, entity: String?)
  /// A group, or nil for none, where `by` says what the metric is grouped by, or nil for not at all.
  case wrongGroup(GroupKey?, metric: String, by: String?)
  /// The field that the metric is grouped by lists its texts, and the group is none of them.
  case unknownGroup(String, metric: String, groups: [String])
  /// A day before 1900 or after 2199.
  case invalidDay(DayKey)
  /// The metric's values are of another type than the one asked for.
  case wrongType(metric: String, part: String, is: ColumnType, asked: String)
  case unknownRecord(String, nearest: String?)
  /// A record does not fit; `field` is nil if all of it does not.
  case invalidRecord(record: String, field: String?, reason: String)
  /// There is a record with the id already: `update` replaces it.
  case duplicateID(String, record: String)
  /// There is not a record with the id.
  case unknownID(String, record: String)
  /// The first findings of a file.
  case malformedFile(record: String, findings: [Diagnostic])
  /// A number out of range, or a cycle of bundles.
  case evaluation(EvaluationError)
}

extension SessionError: CustomStringConvertible {
  /// What went wrong: `HabitEntry.value: expected 0 or more, found -3`
  public var message: String {
    func quoted(_ name: String, _ nearest: String? = nil) -> String {
      "`\(name)`" + (nearest.map { "; did you mean `\($0)`?" } ?? "")
    }
    switch self {
    case .unknownMetric(let name, let nearest): return "there is no metric \(quoted(name, nearest))"
    case .omittedMetric(let name):
      return "the session is not made for the metric \(quoted(name)): add it to `metrics`"
    case .rejectedMetric(let name): return "the library rejects the metric \(quoted(name)): see its findings"
    case .nothingAhead(let name, let kind):
      return "\(quoted(name)) is a \(kind): only completions, streaks, momenta, progresses and levels of one "
        + "subject say what is ahead"
    case .unknownPart(let part, let metric, let parts):
      let known = parts.filter { !$0.isEmpty }.map { "`\($0)`" }.joined(separator: ", ")
      return "\(quoted(metric)) has no part \(quoted(part))" + (known.isEmpty ? "" : ", only \(known)")
    case .unknownSubject(_, let metric, nil) where !metric.isEmpty:
      return "\(quoted(metric)) has one value for all: name no subject"
    case .unknownSubject("", let metric, let entity?) where !metric.isEmpty:
      return "\(quoted(metric)) has a value for each \(entity): name one with `for`"
    case .unknownSubject(let subject, let metric, let entity):
      return "no record names the \(entity ?? "subject") \(quoted(subject))"
        + (metric.isEmpty ? "" : " of \(quoted(metric))")
    case .wrongGroup(_, let metric, let grouping?):
      return "\(quoted(metric)) has a value for each group by \(quoted(grouping)): name one with `group`"
    case .wrongGroup(let group, let metric, nil):
      return "\(quoted(metric)) has no groups: leave out \(quoted(group?.text ?? ""))"
    case .unknownGroup(let group, let metric, let groups):
      return "\(quoted(metric)) has no group \(quoted(group, nearestName(to: group, in: groups)))"
    case .invalidDay(let day): return "\(day) is no day from \(DayKey.range)"
    case .wrongType(let metric, let part, let type, let asked):
      let name = part.isEmpty ? metric : "\(metric).\(part)"
      return "\(quoted(name)) is of the type \(type.name), which is no \(asked)"
    case .unknownRecord(let name, nil):
      return "there is no record type \(quoted(name)); `into` or `in` names another"
    case .unknownRecord(let name, let nearest): return "there is no record type \(quoted(name, nearest))"
    case .invalidRecord(let record, let field, let reason):
      return "\(record)\(field.map { ".\($0)" } ?? ""): \(reason)"
    case .duplicateID(let id, let record):
      return "\(record).id: a record \(quoted(id)) already exists; `update` replaces it"
    case .unknownID(let id, let record): return "\(record).id: there is no record \(quoted(id))"
    case .malformedFile(let record, let findings):
      return findings.map { finding in
        let place =
          if case .data(_, let line, let column) = finding.location { ":\(line):\(column)" } else { "" }
        return "\(record)\(place): \(finding.message)"
      }.joined(separator: "\n")
    case .evaluation(let error): return error.message
    }
  }

  public var description: String { message }
}
