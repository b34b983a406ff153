/// One kind of mistake in the records of one type: how often it occurred, the first places, and the fix.
package struct DatasetProblem: Sendable {
  package var code: DiagnosticCode
  package var severity: Severity = .error
  /// The record type whose values are at fault.
  package var record: String
  package var field: String
  package var mend: String
  /// How often it was met in all.
  package private(set) var count = 0
  /// The first ones, in the order of the rows.
  package private(set) var examples: [Example] = []

  /// One place where it was met.
  package struct Example: Sendable {
    package var row: Int
    package var message: String
    /// A second record in the same file that has to do with it.
    package var related: (row: Int, message: String)?
  }

  /// How many examples are kept of each kind.
  package static let shownExamples = 10

  /// Counts a mistake, and keeps the example where there is still room for one.
  mutating func add(
    row: Int, _ message: @autoclosure () -> String, _ related: (row: Int, message: String)? = nil
  ) {
    count += 1
    guard examples.count < DatasetProblem.shownExamples else { return }
    examples.append(Example(row: row, message: message(), related: related))
  }

  /// Counts a mistake like one that was reported.
  mutating func addAnother() { count += 1 }
}
