/// Names of penalties, clocks and stored state that resolve are only warned about, word by word.
enum PunitiveName: Rule {
  static let page = Page.checklist("W008")

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    func look(_ name: String, at span: Span, metric: String? = nil) {
      // Beside a word for what it is of, `now` asks no clock: `weight_now`.
      let words = Words.split(name)
      let word = words.first { ForbiddenWord(rawValue: $0) != nil && !($0 == "now" && words.count > 1) }
      guard let word else { return }
      findings.append(
        .warning(
          page.code, "`\(name)` contains `\(word)`, a word that no metric needs", at: span, metric: metric,
          notes: ["name what was done, not what was not"]))
    }
    for metric in scope.metrics {
      look(metric.name, at: metric.span, metric: metric.name)
      if metric.audience == .user { findings += texts(of: metric) }
      if case .funnel(let funnel) = metric.body {
        for step in funnel.steps { look(step.name, at: metric.span, metric: metric.name) }
      }
    }
    for record in scope.library.records {
      if !record.isBuiltIn { look(record.name, at: record.span) }
      // An Instant is a timestamp, and orders facts; its name may say so. What `extend` adds to a built-in
      // record is in another file.
      for field in record.fields
      where field.type != .instant && !(record.isBuiltIn && field.span.file == record.span.file) {
        look(field.name, at: field.span)
      }
    }
    return findings + judging(in: scope)
  }

  /// Metrics for the user that rest on facts whose name judges: a count or a level of slips.
  private static func judging(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    var judged: [RecordID: String] = [:]
    for (id, record) in library.records.enumerated() where record.kind == .fact && !record.isBuiltIn {
      // A skipped day may be a day of rest.
      judged[id] = Words.split(record.name).first { PunitiveWords.contains($0) && !$0.hasPrefix("skip") }
    }
    guard !judged.isEmpty else { return [] }
    return scope.ids.compactMap { id in
      let metric = library.metrics[id]
      guard metric.audience == .user, let reads = DataNeeds(library: library, metrics: [id]).reads[id],
        let record = reads.sorted().first(where: { judged[$0] != nil }), let word = judged[record]
      else { return nil }
      return .warning(
        page.code, "`\(metric.name)` rests on `\(library.records[record].name)`, whose name says `\(word)`",
        at: metric.span, metric: metric.name,
        notes: ["record and count what was done instead, or write `allow \(page.code.id) \"why\"`"])
    }
  }

  private static func texts(of metric: Metric) -> [Diagnostic] {
    let texts: [(String, String?)] = [
      ("name", metric.name), ("title", metric.title), ("doc", metric.doc), ("unit", metric.unit),
    ]
    return texts.compactMap { what, text in
      // What `ForbiddenWord` knows in a name has its finding.
      guard let text,
        let word = Words.split(text).first(where: {
          PunitiveWords.contains($0) && (what != "name" || ForbiddenWord(rawValue: $0) == nil)
        })
      else { return nil }
      return metric.warning(
        page.code, "the \(what) of `\(metric.name)` says `\(word)` to the person who reads it", at: what,
        notes: ["say what was done, not what was not; or write `allow \(page.code.id) \"why\"`"])
    }
  }
}
