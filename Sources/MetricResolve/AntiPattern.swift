import MetricDiagnostics
import MetricSyntax

/// Words that people write by habit and that break the checklist: they have a diagnosis of their
/// own in place of a syntax error (LANGUAGE, section 7, "Named outright").
package struct AntiPattern: Sendable {
  package let code: DiagnosticCode
  package let reason: String
  package let mend: String

  package static func of(word: String) -> AntiPattern? {
    switch word {
    case "stored", "cached", "persist":
      AntiPattern(
        code: .storesState, reason: "a metric is recomputed whenever it is asked for and never kept",
        mend: "delete the clause; if what is meant happened, log it as a fact and derive the metric")
    case "increment", "reset", "override":
      AntiPattern(
        code: .mutatesState, reason: "a metric cannot change anything, not even itself",
        mend: "correct a number by editing or adding the fact that it rests on")
    case "timezone", "timestamp":
      AntiPattern(
        code: .usesZone, reason: "facts are counted by their DayKey, which no time zone rewrites",
        mend: "use `every day`, `every week` or `over last N days`; they count DayKeys")
    case "now", "today":
      AntiPattern(
        code: .readsClock, reason: "a metric depends on the dataset and a reference day, never on a clock",
        mend: "windows and periods end at the reference day by themselves; `day` is that day")
    case "penalty", "missed", "late", "deadline":
      AntiPattern(
        code: .penaltyTerm, reason: "a metric never punishes, and what was not done is simply not counted",
        mend: "count what was done instead, with a completion, a momentum or a progress")
    default: nil
    }
  }

  fileprivate func finding(word: Name) -> Diagnostic {
    .error(
      code, "`\(word.text)` has no place here: \(reason)", at: word.span,
      notes: [Note(mend)])
  }
}

extension Resolver {
  /// Reports a name that stands for nothing and is one of the words; false where it is none.
  func reportAntiPattern(_ name: Name) -> Bool {
    guard let pattern = AntiPattern.of(word: name.text) else { return false }
    report(pattern.finding(word: name))
    return true
  }
}
