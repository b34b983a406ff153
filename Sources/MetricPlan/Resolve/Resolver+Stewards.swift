import MetricSyntax

/// Who is responsible for a metric: `owner`, `tags`, `approved`. They change no value.
extension Resolver {
  func resolveStewards(_ clauses: ClauseTable, of metric: inout Metric) {
    if let text = clauses[.owner]?.content.text { metric.owner = try? named(text, "an `owner` is a name") }
    if case .tags(let written) = clauses[.tags]?.content { metric.tags = tags(written) }
    if case .approved(let who, on: let written, let meaning) = clauses[.approved]?.content {
      let name = try? named(who, "an approval says who gave it")
      guard let name, let day = try? dayLiteral(written) else { return }
      metric.approval = Approval(who: name, day: day, meaning: meaning.value)
    }
  }

  /// The text, which must not be blank.
  func named(_ text: StringSyntax, _ rule: String) throws -> String {
    try require(!text.value.allSatisfy(\.isWhitespace), .badAllow, rule, at: text.span)
    return text.value
  }

  private func tags(_ written: [ExpressionSyntax]) -> [String] {
    var tags: [String] = []
    for literal in written {
      guard case .string(let text) = literal.kind else {
        if case .missing = literal.kind { continue }
        fail(.typeMismatch, "a tag is a text", at: literal.span)
        continue
      }
      guard let tag = try? named(text, "a tag is a word") else { continue }
      if tags.contains(tag) {
        fail(.repeatedClause, "the tag `\(tag)` is repeated", at: literal.span)
      } else {
        tags.append(tag)
      }
    }
    return tags
  }
}
