import MetricDiagnostics

/// The canonical streak of a habit shows 0 where window 0 is incomplete, the canonical momentum
/// counts windows. `grace` and `half life` are fine where they are meant.
enum DepartsFromCanon: Rule {
  static let page = Page(
    """
    W003 departs-from-canon: A habit is read in an unusual way
    `grace` and `half life` on a habit. Two apps that show a streak should mean the same thing; if this is
    intended, `allow` says why.
     completion done { for habit  every day  when count(HabitEntry) >= 1 }
    -streak kind_run { of done  grace 1 day }
    +streak kind_run { of done  grace 1 day  allow W003 "a day still open is not shown as 0" }
    """)

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    return scope.metrics.compactMap { metric in
      guard let entity = metric.subject.entity, library.records[entity].name == "Habit" else { return nil }
      guard case .windows(let windows) = metric.body else { return nil }
      let word: String
      switch windows.reading {
      case .grace: word = "grace"
      case .halfLife: word = "half life"
      case .current, .best, .previous, .forgiving, .bestForgiving, .last: return nil
      }
      return metric.warning(
        page.code, "`\(word)` departs from the canonical rule for habits", at: word,
        notes: [Note("if this is intended, write `allow \(page.code.id) \"why\"`")])
    }
  }
}
