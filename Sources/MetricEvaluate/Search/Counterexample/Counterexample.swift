/// A dataset that shows how a number falls: by a fact that is logged, or by a day that passes.
package struct Counterexample: Sendable {
  /// The dataset before: entities, links and facts.
  package var rows: [TestRow]
  /// The fact that is logged; nil if the number falls by itself from `day` to `nextDay`.
  package var added: TestRow?
  package var metric: String
  package var subject: String
  package var group: GroupKey
  package var part: String
  package var day: DayKey
  /// The reference day of the second value.
  package var nextDay: DayKey
  package var before: Value
  package var after: Value
  /// A definition that was made to show the harm, where the metric is a completion whose rest can end.
  package var made: String?
  /// Where nothing happened, and only a field differs between the two datasets.
  package var change: Change?

  package struct Change: Sendable {
    package var field: FieldReference
    package var before: Literal?
    package var after: Literal
    /// The second dataset.
    package var rows: [TestRow]
  }
}

extension Value {
  /// In the order of the promise: no value below every number, none and false below true (LAW-01).
  func isBelow(_ other: Value) -> Bool {
    switch (self, other) {
    case (.bool(false), .none), (.none, .bool(false)): false
    case (.none, .none), (_, .none): false
    case (.none, _): true
    case (.bool(let one), .bool(let another)): !one && another
    case (.int(let one), .int(let another)): one < another
    case (.decimal(let one), .decimal(let another)): one < another
    default: false
    }
  }

  var isNegative: Bool { millionths.map { $0 < 0 } ?? false }
}
