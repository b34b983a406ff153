extension PlannedMetric {
  /// `weekly_streak: streak for habit where cadence == "weekly", audience user, unit weeks`
  package var head: String {
    var text = "\(summary.name): \(summary.kind) for \(summary.subject)"
    if let condition { text += " where \(condition)" }
    text += ", audience \(summary.audience)"
    if let unit = summary.unit { text += ", unit \(unit)" }
    return summary.isAccepted ? text : text + ", rejected"
  }

  /// What is known of the metric beside its head: a word and its text.
  package var lines: [Clause] {
    let certificate = summary.certificate
    var lines: [(word: String, text: String?)] = [
      ("title", summary.title), ("owner", owner), ("tags", PlannedMetric.list(tags)),
      ("approved", approval?.text),
    ]
    lines += clauses.map { ($0.word, $0.text) }
    lines += zip(parts, certificate?.parts ?? []).map { part, proved in
      (part.name.isEmpty ? "value is" : "part \(part.name)", "\(part.type), \(proved.text)")
    }
    lines += [
      ("answers", certificate?.answers), ("rests on", certificate?.groupedLeaves),
      ("declared", PlannedMetric.list(certificate?.declared)),
    ]
    lines += (certificate?.limits ?? []).map { ("can end", $0) }
    lines += [
      ("observed", PlannedMetric.list(certificate?.observed)), ("reads", PlannedMetric.list(reads)),
      ("read by", PlannedMetric.list(readBy)),
    ]
    return [Clause](lines)
  }

  /// Nil where there is nothing to list.
  private static func list(_ names: [String]?) -> String? {
    names.flatMap { $0.isEmpty ? nil : $0.joined(separator: ", ") }
  }
}
