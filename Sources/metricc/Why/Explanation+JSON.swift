import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricExplain
import MetricLanguage

/// The shape is described in `Documentation/Explanations.md`.
extension Explanation {
  func json(_ places: RecordPlaces, _ library: MetricLibrary) -> JSONText {
    let summary = library.metrics.first { $0.name == metric }
    var members: [(String, JSONText)] = [
      ("metric", .string(metric)), ("kind", .string(kind)), ("subject", .string(subject)),
      ("group", .string(group)), ("at", .day(at)), ("unit", .string(orNull: summary?.unit)),
      (
        "values",
        .array(parts.map { .object([("part", .string($0.name)), ("value", $0.value.json)]) })
      ),
      ("reason", absence?.json ?? .null), ("clauses", .array(clauses.map { $0.json(places) })),
      ("windows", windows?.json ?? .null), ("links", .array(links.map { $0.json(places) })),
    ]
    members.append(
      (
        "thresholds",
        .array(
          thresholds.map {
            .object([
              ("value", JSONText(verbatim: $0.value.description)), ("reached", .bool($0.isReached)),
            ])
          })
      ))
    members += [
      ("funnel", journey?.json(places) ?? .null), ("retention", returning?.json ?? .null),
      ("records", .array(records.map { $0.json(places) })), ("recordCount", .number(recordCount)),
      ("withheld", .number(withheldCount)), ("reads", .array(reads.map { $0.json(places, library) })),
    ]
    return .object(members)
  }
}

extension JSONText {
  static func day(_ day: DayKey) -> JSONText { .string(day.description) }
  static func day(orNull day: DayKey?) -> JSONText { day.map { .day($0) } ?? .null }
}

extension Value {
  /// Numbers and Bools as such, days and texts as strings, no value as null.
  var json: JSONText {
    switch self {
    case .none: .null
    case .bool, .int, .decimal: JSONText(verbatim: plainText)
    case .day, .text: .string(plainText)
    }
  }
}

extension Reason {
  fileprivate var json: JSONText {
    .object([("code", .string(code.rawValue)), ("text", .string(text))])
  }
}

extension RecordReference {
  fileprivate func json(_ places: RecordPlaces) -> JSONText {
    let place = places.place(of: self)
    var members: [(String, JSONText)] = [
      ("record", .string(record)), ("id", .string(orNull: id)), ("day", .day(orNull: day)),
      ("path", .string(orNull: place?.path)), ("line", place?.line.map { .number($0) } ?? .null),
    ]
    if let value { members.append(("value", value.json)) }
    return .object(members)
  }
}

extension Explanation.Clause {
  fileprivate func json(_ places: RecordPlaces) -> JSONText {
    .object([("clause", .string(word)), ("at", .day(at)), ("expression", expression.json(places))])
  }
}

extension ExplainedExpression {
  fileprivate func json(_ places: RecordPlaces) -> JSONText {
    .object([
      ("text", .string(text)), ("evaluated", .bool(isEvaluated)), ("value", value.json),
      ("reason", reason?.json ?? .null), ("operands", .array(operands.map { $0.json(places) })),
      ("records", .array(records.map { $0.json(places) })), ("recordCount", .number(recordCount)),
      (
        "subjects",
        .array(subjects.map { .object([("id", .string($0.id)), ("value", $0.value?.json ?? .null)]) })
      ),
    ])
  }
}

extension WindowStory {
  fileprivate var json: JSONText {
    func json(_ window: Window) -> JSONText {
      .object([
        ("first", .day(window.first)), ("last", .day(window.last)), ("state", .string(window.state.rawValue)),
        ("counts", .bool(window.counts)), ("records", .number(window.recordCount)),
        ("weight", window.weight.map { .billionths($0) } ?? .null),
      ])
    }
    return .object([
      ("completion", .string(completion)), ("every", .string(every)), ("readAt", .day(readAt)),
      ("ending", .object([("kind", .string(ending.word)), ("day", .day(orNull: ending.day))])),
      ("windows", .array(windows.map(json))), ("before", .array(before.map(json))),
      ("recordDays", .array(recordDays.map { .day($0) })),
    ])
  }
}

extension JSONText {
  /// `0.129449437` for 129449437.
  fileprivate static func billionths(_ value: Int64) -> JSONText {
    let digits = String(value)
    let padded = String(repeating: "0", count: max(0, 10 - digits.count)) + digits
    return JSONText(verbatim: "\(padded.dropLast(9)).\(padded.suffix(9))")
  }
}

extension WindowStory.Ending {
  fileprivate var word: String {
    switch self {
    case .incomplete: "incomplete"
    case .firstFact: "first-fact"
    case .noFact: "no-fact"
    case .enough: "enough"
    case .cut: "cut"
    }
  }

  fileprivate var day: DayKey? {
    switch self {
    case .incomplete(let day), .firstFact(let day): day
    case .noFact, .enough, .cut: nil
    }
  }
}

extension LinkStory {
  fileprivate func json(_ places: RecordPlaces) -> JSONText {
    .object([
      ("link", link.json(places)), ("end", .string(end)), ("bundle", .string(orNull: bundle)),
      ("contribution", .string(contribution)), ("counts", .bool(counts)), ("facts", .number(factCount)),
      ("amount", amount?.json ?? .null),
    ])
  }
}

extension FunnelStory {
  fileprivate func json(_ places: RecordPlaces) -> JSONText {
    let listed = steps.map { step -> JSONText in
      .object([
        ("step", .string(step.name)), ("reached", .bool(step.isReached)), ("day", .day(orNull: step.day)),
        ("record", step.record?.json(places) ?? .null), ("facts", .number(step.factCount)),
      ])
    }
    return .object([
      ("reached", .number(reached)), ("group", .string(group)), ("deadline", .day(orNull: deadline)),
      ("steps", .array(listed)),
    ])
  }
}

extension RetentionStory {
  fileprivate var json: JSONText {
    let listed = starts.map { start -> JSONText in
      let checks = start.checks.map { check -> JSONText in
        .object([
          ("name", .string(check.name)), ("day", .day(check.day)), ("eligible", .bool(check.isEligible)),
          ("returned", .bool(check.hasReturned)), ("returnDay", .day(orNull: check.returnDay)),
        ])
      }
      return .object([
        ("day", .day(start.day)), ("group", .string(start.group)), ("checks", .array(checks)),
      ])
    }
    return .object([
      ("starts", .array(listed)), ("returnDays", .array(returnDays.map { .day($0) })),
    ])
  }
}
