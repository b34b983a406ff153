/// The user's text inside what the command says.
enum Quoting {
  /// The text in backticks; a path is shown whole.
  static func quoted(_ text: String) -> String { MetricDiagnostics.quoted(text, longest: .max) }

  /// `a`, `b` and `c`, each in backticks.
  static func list(_ texts: [String]) -> String {
    guard let last = texts.last, texts.count > 1 else { return texts.first.map(quoted) ?? "nothing" }
    return texts.dropLast().map(quoted).joined(separator: ", ") + " and " + quoted(last)
  }

  /// `; did you mean `streak`?`, or nothing where no name is near.
  static func suggestion(_ name: String?) -> String {
    name.map { "; did you mean \(quoted($0))?" } ?? ""
  }

  /// The same with the name among some that is the nearest to an unknown one.
  static func suggestion(for name: String, among names: some Sequence<String>) -> String {
    suggestion(nearestName(to: name, in: names))
  }
}
