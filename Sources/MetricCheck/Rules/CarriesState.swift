import MetricDiagnostics
import MetricPlan

/// The first question: a fact says what happened, and not what somebody derived from other facts (CHK-08).
enum CarriesState: Rule {
  static let page = Page(
    """
    C103 fact-carries-state: A metric reads a derived number stored in a fact
    The field's name says that it was derived: a streak, a total, a score, whether something is done. A late
    entry changes the streak and not the log. Mark a number seen at that moment, such as the score of a quiz,
    `observed "why"`; mark a kept one `stored` and derive the metric.
    See: C101, C102, W001
     fact DayLog { id : ID  habitId : Habit  dayKey : DayKey  streak : Int? min 0 }
     completion logged { for habit  every day  when count(DayLog) >= 1 }
    -measure longest { for habit  value max(DayLog.streak) }
    +streak longest { of logged  best }
    """)

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    return scope.ids.flatMap { id -> [Diagnostic] in
      let metric = library.metrics[id]
      return scope.provenance.directLeaves(of: id).filter { library.carriesState($0) }.map { leaf in
        let field = library[leaf]
        let name = "\(library.records[leaf.record].name).\(field.name)"
        return metric.error(
          page.code, "`\(metric.name)` reads `\(name)`, whose name says that it was derived from other facts",
          at: "value", "when", "rest when",
          notes: [
            Note("declared here", at: .source(field.span)),
            Note("derive the number from what happened, and mark the field `stored`"),
            Note("if it was observed at that moment, write `\(field.name) : … observed \"why\"`"),
          ])
      }
    }
  }
}

extension Library {
  /// Whether a fact's field is named like what is derived, and nobody says that it was observed.
  package func carriesState(_ reference: FieldReference) -> Bool {
    let field = self[reference]
    let record = records[reference.record]
    guard record.kind == .fact, field.computed == nil, !field.isStored, field.observed == nil else {
      return false
    }
    switch field.type {
    case .int, .decimal, .bool, .text: return DerivedName.isLike(field.name)
    // A choice names a kind, such as the level of a lesson.
    case .id, .dayKey, .instant, .choice, .reference: return false
    }
  }
}

/// Names that say "derived": `dailyStreak`, `isComplete`, `total_minutes`, `pagesCount`.
enum DerivedName {
  private static let words: Set<String> = [
    "done", "finished", "total", "totals", "subtotal", "score", "scores", "level", "levels", "rank",
    "ranking",
    "summary", "count", "counts", "counter", "tally", "sum", "average", "avg", "complete", "flag",
  ]
  /// Long enough to be found inside a word, too: `currentstreak`.
  private static let stems = ["streak", "momentum", "complet", "percent", "progress"]

  static func isLike(_ name: String) -> Bool {
    let own = Words.split(name)
    return own.contains(where: words.contains) || Words.contain(own, anyOf: stems)
  }
}
