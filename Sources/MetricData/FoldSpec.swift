/// What the records of one type are folded into while they are read, where the metrics ask for nothing
/// else of them: for each key on which days it has records, and how many, or the sum of a field.
package struct FoldSpec: Hashable, Sendable {
  /// The text column by which records are gathered: a reference.
  package var key: Int
  /// The column of the DayKey.
  package var day: Int
  /// Columns that make a record not live where they have a value.
  package var tombstones: [Int]
  /// Text columns of which only the different texts of live records are kept.
  package var noted: [Int]
  /// Records of later days count nowhere, though their keys exist; nil where there are none.
  package var lastDay: Int32?
  package var bundles: [Bundle]

  /// What is kept of the live records for which a condition holds.
  package struct Bundle: Hashable, Sendable {
    /// Nil holds for each record.
    package var condition: RowExpression?
    /// The number column that is summed; records without a value are skipped. Nil only counts.
    package var amount: Int?
    /// Keeps the days that have a record.
    package var keepsDays: Bool
    /// Keeps the number of records of all days together, and their sum.
    package var keepsTotal: Bool
    /// Keeps the least and the greatest value of the column, of all days together.
    package var keepsExtremes: Bool
    /// Keeps for each day the sum of its records, or their number where nothing is summed.
    package var keepsDaily: Bool

    package init(
      condition: RowExpression?, amount: Int?, keepsDays: Bool = false, keepsTotal: Bool = false,
      keepsExtremes: Bool = false, keepsDaily: Bool = false
    ) {
      self.condition = condition
      self.amount = amount
      self.keepsDays = keepsDays
      self.keepsTotal = keepsTotal
      self.keepsExtremes = keepsExtremes
      self.keepsDaily = keepsDaily
    }
  }

  package init(
    key: Int, day: Int, tombstones: [Int], noted: [Int], lastDay: Int32?, bundles: [Bundle]
  ) {
    self.key = key
    self.day = day
    self.tombstones = tombstones
    self.noted = noted
    self.lastDay = lastDay
    self.bundles = bundles
  }
}

/// A condition over the cells of one record. None in, none out, as in the language.
package indirect enum RowExpression: Hashable, Sendable {
  case column(Int)
  /// A cell that is no text; the smallest integer is no value.
  case cell(Int64)
  case text(String)
  case comparison(RowComparison, RowExpression, RowExpression)
  case membership(RowExpression, [RowExpression], negated: Bool)
  case isNone(RowExpression, negated: Bool)
  case and(RowExpression, RowExpression)
  case or(RowExpression, RowExpression)
  case not(RowExpression)
}

package enum RowComparison: Hashable, Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}
