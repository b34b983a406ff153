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
    var lines: [Clause] = []
    if let title = summary.title { lines.append(Clause(word: "title", text: title)) }
    if let owner { lines.append(Clause(word: "owner", text: owner)) }
    if !tags.isEmpty { lines.append(Clause(word: "tags", text: tags.joined(separator: ", "))) }
    if let approval { lines.append(Clause(word: "approved", text: approval.text)) }
    lines += clauses
    if let certificate = summary.certificate {
      for (part, proved) in zip(parts, certificate.parts) {
        let name = part.name.isEmpty ? "value is" : "part \(part.name)"
        lines.append(Clause(word: name, text: "\(part.type), \(proved.text)"))
      }
      lines.append(Clause(word: "answers", text: certificate.answers))
      lines.append(Clause(word: "rests on", text: certificate.groupedLeaves))
      if !certificate.declared.isEmpty {
        lines.append(Clause(word: "declared", text: certificate.declared.joined(separator: ", ")))
      }
      lines += certificate.limits.map { Clause(word: "can end", text: $0) }
      if !certificate.observed.isEmpty {
        lines.append(Clause(word: "observed", text: certificate.observed.joined(separator: ", ")))
      }
    }
    if !reads.isEmpty { lines.append(Clause(word: "reads", text: reads.joined(separator: ", "))) }
    if !readBy.isEmpty { lines.append(Clause(word: "read by", text: readBy.joined(separator: ", "))) }
    return lines
  }
}
