import MetricDiagnostics
import MetricSyntax

extension Resolver {
  /// Reports a name that stands for nothing and is one of the forbidden words; false where it is none.
  func reportAntiPattern(_ name: Name) -> Bool {
    guard let word = ForbiddenWord(rawValue: name.text) else { return false }
    report(word.finding(at: name.span))
    return true
  }
}
