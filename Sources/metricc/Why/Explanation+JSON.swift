/// The shape is described in `Documentation/Reports.md`.
extension Explanation {
  func json(_ places: RecordPlaces, _ library: MetricLibrary) -> JSONText {
    .object([
      "metric": metric, "kind": kind, "subject": subject, "group": group, "at": at,
      "unit": library.metrics.first { $0.name == metric }?.unit,
      "values": parts.map { JSONText.object(["part": $0.name, "value": $0.value]) }, "reason": absence,
      "clauses": clauses.map {
        JSONText.object(["clause": $0.word, "at": $0.at, "expression": $0.expression.json(places)])
      },
      "windows": windows, "links": links.map { $0.json(places) },
      "thresholds": thresholds.map {
        JSONText.object([
          "value": JSONText(verbatim: $0.value.description), "reached": $0.isReached, "on": $0.on,
        ])
      },
      "funnel": journey?.json(places), "retention": returning, "records": records.map { $0.json(places) },
      "recordCount": recordCount, "withheld": withheldCount, "reads": reads.map { $0.json(places, library) },
    ])
  }
}

extension DayKey: JSONWritable {
  package var json: JSONText { .string(description) }
}

extension GroupKey: JSONWritable {
  /// A text, of several fields an array of texts.
  package var json: JSONText { isOfSeveralFields ? fields.json : text.json }
}

extension Value: JSONWritable {
  /// Numbers and Bools as such, days and texts as strings, no value as null.
  package var json: JSONText {
    switch self {
    case .none: .null
    case .bool, .int, .decimal: JSONText(verbatim: plainText)
    case .day, .text: .string(plainText)
    }
  }
}

extension Reason: JSONWritable {
  package var json: JSONText { .object(["code": code.rawValue, "text": text]) }
}

extension RecordReference {
  fileprivate func json(_ places: RecordPlaces) -> JSONText {
    let place = places.place(of: self)
    return .object([
      "record": record, "id": id, "day": day, "path": place?.path, "line": place?.line,
      "value": value?.json ?? .omitted,
    ])
  }
}

extension ExplainedExpression {
  fileprivate func json(_ places: RecordPlaces) -> JSONText {
    .object([
      "text": text, "evaluated": isEvaluated, "value": value, "reason": reason,
      "operands": operands.map { $0.json(places) }, "records": records.map { $0.json(places) },
      "recordCount": recordCount,
      "subjects": subjects.map { JSONText.object(["id": $0.id, "value": $0.value]) },
    ])
  }
}

extension WindowStory: JSONWritable {
  package var json: JSONText {
    let (kind, day): (String, DayKey?) =
      switch ending {
      case .incomplete(let day): ("incomplete", day)
      case .unforgiven(let day): ("unforgiven", day)
      case .firstFact(let day): ("first-fact", day)
      case .noFact: ("no-fact", nil)
      case .enough: ("enough", nil)
      case .cut: ("cut", nil)
      }
    return .object([
      "completion": completion, "every": every, "readAt": readAt,
      "ending": JSONText.object(["kind": kind, "day": day]), "windows": windows, "before": before,
      "recordDays": recordDays,
    ])
  }
}

extension WindowStory.Window: JSONWritable {
  package var json: JSONText {
    // In billionths: 129449437 is 0.129449437.
    let digits = weight.map { String($0).leftPadded(to: 10, with: "0") }
    return .object([
      "first": first, "last": last, "state": state.rawValue, "counts": counts, "records": recordCount,
      "weight": digits.map { JSONText(verbatim: "\($0.dropLast(9)).\($0.suffix(9))") },
    ])
  }
}

extension LinkStory {
  fileprivate func json(_ places: RecordPlaces) -> JSONText {
    .object([
      "link": link.json(places), "end": end, "bundle": bundle, "contribution": contribution,
      "counts": counts, "facts": factCount, "amount": amount,
    ])
  }
}

extension FunnelStory {
  fileprivate func json(_ places: RecordPlaces) -> JSONText {
    .object([
      "reached": reached, "group": group, "deadline": deadline,
      "steps": steps.map {
        JSONText.object([
          "step": $0.name, "reached": $0.isReached, "day": $0.day, "record": $0.record?.json(places),
          "facts": $0.factCount,
        ])
      },
    ])
  }
}

extension RetentionStory: JSONWritable {
  package var json: JSONText {
    let starts = starts.map { start in
      let checks = start.checks.map {
        JSONText.object([
          "name": $0.name, "day": $0.day, "eligible": $0.isEligible, "returned": $0.hasReturned,
          "returnDay": $0.returnDay, "value": $0.worth,
        ])
      }
      return JSONText.object(["day": start.day, "group": start.group, "checks": checks])
    }
    return .object(["starts": starts, "returnDays": returnDays])
  }
}
