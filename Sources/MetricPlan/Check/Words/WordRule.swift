/// A rule of the checklist that is recognised by a word that people write by habit.
private struct WordRule {
  let page: Page
  /// Why the word has no place in a metric.
  let reason: String
  /// What to write instead.
  let fix: String
}

extension ForbiddenWord {
  /// By one word of each rule.
  static let pages = [ForbiddenWord.stored, .increment, .penalty, .timezone, .now].map(\.page)

  private var rule: WordRule {
    switch self {
    case .stored, .cached, .persist, .store, .cache, .save:
      WordRule(
        page: Page.checklist("C201"), reason: "a metric is recomputed on request and never kept",
        fix: "delete the clause; if something happened, log it as a fact and derive the metric")
    case .increment, .reset, .override, .decrement, .expire, .rollover, .carry:
      WordRule(
        page: Page.checklist("C202"), reason: "a metric cannot change anything, not even itself",
        fix: "correct a number by editing or adding the fact that it rests on")
    case .penalty, .missed, .late, .deadline, .punish, .lose:
      WordRule(
        page: Page.checklist("C402"),
        reason: "a metric never punishes, and what was not done is simply not counted",
        fix: "count what was done instead, with a completion, a momentum or a progress")
    case .timezone, .timestamp:
      WordRule(
        page: Page.checklist("C303"),
        reason: "facts are counted by their DayKey, which no time zone rewrites",
        fix: "use `every day`, `every week` or `over last N days`; they count DayKeys")
    case .now, .today:
      WordRule(
        page: Page.checklist("C302"),
        reason: "a metric depends on the dataset and a reference day, never on a clock",
        fix: "windows and periods end at the reference day by themselves; `day` is that day")
    }
  }

  package var page: Page { rule.page }

  /// The finding for the word where it starts a clause, or is an operand that stands for nothing.
  package func finding(at span: Span) -> Diagnostic {
    .error(
      rule.page.code, "`\(rawValue)` has no place here: \(rule.reason)", at: span, notes: [Note(rule.fix)])
  }
}
