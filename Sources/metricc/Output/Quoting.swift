extension String {
  /// The user's text in what the command says: in backticks, and whole, as it may be a path.
  var quoted: String { MetricDiagnostics.quoted(self, longest: .max) }

  var withoutBlankEnd: String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }

  /// What is before and after the first `=`.
  var halves: (String, String)? {
    firstIndex(of: "=").map { (String(self[..<$0]), String(self[index(after: $0)...])) }
  }
}

/// `; did you mean `streak`?`, or nothing where no name is near.
func suggestion(_ name: String?) -> String { name.map { "; did you mean \($0.quoted)?" } ?? "" }

/// The same with the name among some that is the nearest to an unknown one.
func suggestion(for name: String, among names: some Sequence<String>) -> String {
  suggestion(nearestName(to: name, in: names))
}
