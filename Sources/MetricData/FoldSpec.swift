/// What the records of one type are folded into while they are read, where the metrics ask for nothing
/// else of them: for each key on which days it has records, and how many, or the sum of a field.
package struct FoldSpec: Hashable, Sendable {
  /// The text column that records are gathered by: a reference.
  package var key: Int
  /// The column of the DayKey.
  package var day: Int
  /// Columns that make a record not live where they have a value.
  package var tombstones: [Int]
  /// Text columns; only the different texts of live records are kept.
  package var noted: [Int]
  /// Records of later days count nowhere, though their keys exist; nil if there are none.
  package var lastDay: Int32?
  package var bundles: [Bundle]

  /// What is kept of the live records that meet a condition.
  package struct Bundle: Hashable, Sendable {
    /// Nil holds for each record.
    package var condition: RowExpression?
    /// The number column that is summed; records without a value are skipped. Nil only counts.
    package var amount: Int?
    /// Keeps the days that have a record.
    package var keepsDays = false
    /// Keeps the number of records of all days together, and their sum.
    package var keepsTotal = false
    /// Keeps the least and the greatest value of the column, of all days together.
    package var keepsExtremes = false
    /// Keeps for each day the sum of its records, or their number where nothing is summed.
    package var keepsDaily = false

    package init(condition: RowExpression?, amount: Int?) {
      (self.condition, self.amount) = (condition, amount)
    }
  }

  package init(key: Int, day: Int, tombstones: [Int], noted: [Int], lastDay: Int32?, bundles: [Bundle]) {
    (self.key, self.day, self.tombstones, self.noted) = (key, day, tombstones, noted)
    (self.lastDay, self.bundles) = (lastDay, bundles)
  }
}

/// A condition over the cells of one record. None in, none out, as in the language.
package indirect enum RowExpression: Hashable, Sendable {
  case column(Int)
  case literal(Literal)
  case comparison(ComparisonOperator, RowExpression, RowExpression)
  case membership(RowExpression, [Literal], negated: Bool)
  case isNone(RowExpression, negated: Bool)
  case and(RowExpression, RowExpression)
  case or(RowExpression, RowExpression)
  case not(RowExpression)

  /// What it is made of; the literals are what it is, or what its operand may be.
  fileprivate var parts: (operands: [RowExpression], literals: [Literal]) {
    switch self {
    case .column: ([], [])
    case .literal(let literal): ([], [literal])
    case .comparison(_, let left, let right), .and(let left, let right), .or(let left, let right):
      ([left, right], [])
    case .membership(let operand, let members, _): ([operand], members)
    case .isNone(let operand, _), .not(let operand): ([operand], [])
    }
  }
}

/// A condition made ready to be run over the cells of a batch: each step runs over all rows before the next.
final class RowProgram {
  private let expression: RowExpression
  private let operands: [RowProgram]
  /// The cells of the expression's literals.
  private let constants: [Int64]
  private let result: UnsafeMutablePointer<Int64>

  /// - Parameter pool: numbers the texts that the columns hold.
  init(_ expression: RowExpression, pool: StringPool) {
    self.expression = expression
    let (operands, literals) = expression.parts
    self.operands = operands.map { RowProgram($0, pool: pool) }
    constants = literals.map { $0.cell(pool) ?? RowProgram.none }
    result = .allocate(capacity: TableBuilder.batchSize)
    result.initialize(repeating: constants.first ?? RowProgram.none, count: TableBuilder.batchSize)
  }

  deinit { result.deallocate() }

  /// The cells of the result, one for each row: 1 is true, 0 false, the smallest integer none.
  func run(_ batch: RowBatch) -> UnsafePointer<Int64> {
    let count = batch.count
    func operand(_ index: Int) -> UnsafePointer<Int64> { operands[index].run(batch) }
    switch expression {
    case .column(let column): return UnsafePointer(batch[column])
    case .literal: break
    case .comparison(let comparison, _, _): compare(comparison, operand(0), operand(1), count)
    case .membership(_, _, let negated):
      each(operand(0), count) { [constants] cell in
        cell == RowProgram.none ? cell : constants.contains(cell) != negated ? 1 : 0
      }
    case .isNone(_, let negated):
      each(operand(0), count) { ($0 == RowProgram.none) != negated ? 1 : 0 }
    case .and:
      each(operand(0), operand(1), count) { first, second in
        first == 0 || second == 0 ? 0 : first == RowProgram.none ? first : second
      }
    case .or:
      each(operand(0), operand(1), count) { first, second in
        first == 1 || second == 1 ? 1 : first == RowProgram.none ? first : second
      }
    case .not:
      each(operand(0), count) { $0 == RowProgram.none ? $0 : 1 - $0 }
    }
    return UnsafePointer(result)
  }

  private static let none = Column.missingWide

  @inline(__always)
  private func each(_ operand: UnsafePointer<Int64>, _ count: Int, _ body: (Int64) -> Int64) {
    for row in 0..<count { result[row] = body(operand[row]) }
  }

  @inline(__always)
  private func each(
    _ left: UnsafePointer<Int64>, _ right: UnsafePointer<Int64>, _ count: Int,
    _ body: (Int64, Int64) -> Int64
  ) {
    for row in 0..<count { result[row] = body(left[row], right[row]) }
  }

  private func compare(
    _ comparison: ComparisonOperator, _ left: UnsafePointer<Int64>, _ right: UnsafePointer<Int64>,
    _ count: Int
  ) {
    func compare(_ holds: (Int64, Int64) -> Bool) {
      each(left, right, count) { first, second in
        first == RowProgram.none || second == RowProgram.none
          ? RowProgram.none : holds(first, second) ? 1 : 0
      }
    }
    switch comparison {
    case .equal: compare { $0 == $1 }
    case .notEqual: compare { $0 != $1 }
    case .less: compare { $0 < $1 }
    case .lessOrEqual: compare { $0 <= $1 }
    case .greater: compare { $0 > $1 }
    case .greaterOrEqual: compare { $0 >= $1 }
    }
  }
}

/// Where a slot's words hold what a fold keeps of it: the totals of all bundles, then perhaps their days.
struct FoldLayout {
  /// By bundle: the count, and the sum in two words where there is one.
  private(set) var totals: [Int] = []
  /// The greatest value and the greatest negated one, as `FoldLayout.rank` has them; 0 where there is none.
  private(set) var extremes: [Int] = []
  /// The first chunk and the last entry of a chain.
  private(set) var daily: [Int] = []
  /// By bundle, which of those that keep days it is.
  private(set) var days: [Int?] = []
  /// The first word after all that.
  private(set) var end: Int

  /// - Parameter start: words in front of all that.
  init(_ spec: FoldSpec, after start: Int) {
    end = start
    var dayBundles = 0
    for bundle in spec.bundles {
      totals.append(end)
      if bundle.keepsTotal { end += bundle.amount == nil ? 1 : 3 }
      extremes.append(end)
      if bundle.keepsExtremes { end += 2 }
      daily.append(end)
      if bundle.keepsDaily { end += 2 }
      days.append(bundle.keepsDays ? dayBundles : nil)
      dayBundles += bundle.keepsDays ? 1 : 0
    }
  }

  /// A value as a word that keeps the order; the smallest integer, which stands for no value, is 0.
  @inline(__always)
  static func rank(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 << 63 }

  /// The value of a rank other than 0.
  static func value(_ rank: UInt64) -> Int64 { Int64(bitPattern: rank ^ 1 << 63) }

  /// Adds the totals of one slot to those of another, whose layout may start elsewhere.
  func add(
    _ source: UnsafePointer<UInt64>, _ from: FoldLayout, to target: UnsafeMutablePointer<UInt64>,
    _ spec: FoldSpec
  ) {
    for (index, bundle) in spec.bundles.enumerated() {
      if bundle.keepsTotal {
        let (one, other) = (target + totals[index], source + from.totals[index])
        one[0] &+= other[0]
        if bundle.amount != nil {
          let (low, carried) = one[1].addingReportingOverflow(other[1])
          one[1] = low
          one[2] = one[2] &+ other[2] &+ (carried ? 1 : 0)
        }
      }
      if bundle.keepsExtremes {
        let (one, other) = (target + extremes[index], source + from.extremes[index])
        (one[0], one[1]) = (max(one[0], other[0]), max(one[1], other[1]))
      }
      if bundle.keepsDaily {
        DailyChains.join(source + from.daily[index], to: target + daily[index])
      }
    }
  }
}
