/// The canonical streak of a habit shows 0 where window 0 is incomplete, the canonical momentum
/// counts windows. `grace` and `half life` are fine where they are meant.
enum DepartsFromCanon: SingleFindingRule {
  static let page = Page.checklist("W003")

  static func finding(of metric: Metric, _: MetricID, in scope: CheckScope) -> Diagnostic? {
    guard let entity = metric.subject.entity, scope.library.records[entity].name == "Habit",
      case .windows(let windows) = metric.body
    else { return nil }
    let word: String
    switch windows.reading {
    case .grace: word = "grace"
    case .halfLife: word = "half life"
    case .current, .best, .previous, .forgiving, .bestForgiving, .last: return nil
    }
    return metric.warning(
      page.code, "`\(word)` departs from the canonical rule for habits", at: word,
      notes: ["if this is intended, write `allow \(page.code.id) \"why\"`"])
  }
}
