/// The words that people write by habit and that break the checklist (LANGUAGE, section 7). Written
/// outright they are errors; in a name that resolves they are only warned about.
package enum ForbiddenWords {
  /// In the order of the language page.
  package static let all = [
    "stored", "cached", "persist", "increment", "reset", "override", "penalty", "missed", "late",
    "deadline", "timezone", "timestamp", "now", "today",
  ]
}
