/// A condition made ready to be run over the cells of a batch: each step runs over all rows before the next.
final class RowProgram {
  private enum Step {
    case column(Int)
    case constant
    case comparison(RowComparison, RowProgram, RowProgram)
    case membership(RowProgram, [Int64], negated: Bool)
    case isNone(RowProgram, negated: Bool)
    case and(RowProgram, RowProgram)
    case or(RowProgram, RowProgram)
    case not(RowProgram)
  }

  private let step: Step
  private let result: UnsafeMutablePointer<Int64>

  /// - Parameter pool: numbers the texts that the columns hold.
  init(_ expression: RowExpression, pool: StringPool) {
    func program(_ inner: RowExpression) -> RowProgram { RowProgram(inner, pool: pool) }
    result = .allocate(capacity: TableBuilder.batchSize)
    result.initialize(repeating: Column.missingWide, count: TableBuilder.batchSize)
    switch expression {
    case .column(let column): step = .column(column)
    case .cell, .text:
      result.update(repeating: RowProgram.constant(expression, pool), count: TableBuilder.batchSize)
      step = .constant
    case .comparison(let comparison, let left, let right):
      step = .comparison(comparison, program(left), program(right))
    case .membership(let operand, let members, let negated):
      step = .membership(program(operand), members.map { RowProgram.constant($0, pool) }, negated: negated)
    case .isNone(let operand, let negated): step = .isNone(program(operand), negated: negated)
    case .and(let left, let right): step = .and(program(left), program(right))
    case .or(let left, let right): step = .or(program(left), program(right))
    case .not(let operand): step = .not(program(operand))
    }
  }

  deinit { result.deallocate() }

  private static func constant(_ expression: RowExpression, _ pool: StringPool) -> Int64 {
    switch expression {
    case .cell(let cell): cell
    case .text(let text): Int64(pool.intern(text))
    case .column, .comparison, .membership, .isNone, .and, .or, .not: Column.missingWide
    }
  }

  /// The cells of the result, `count` of them: 1 is true, 0 false, the smallest integer none.
  ///
  /// - Parameters:
  ///   - cells: those of the columns, column after column.
  ///   - stride: how many cells a column has there.
  func run(_ cells: UnsafePointer<Int64>, stride: Int, count: Int) -> UnsafePointer<Int64> {
    func run(_ program: RowProgram) -> UnsafePointer<Int64> {
      program.run(cells, stride: stride, count: count)
    }
    switch step {
    case .column(let column): return cells + column * stride
    case .constant: break
    case .comparison(let comparison, let left, let right): compare(comparison, run(left), run(right), count)
    case .membership(let operand, let members, let negated):
      each(run(operand), count) { $0 == RowProgram.none ? $0 : members.contains($0) != negated ? 1 : 0 }
    case .isNone(let operand, let negated):
      each(run(operand), count) { ($0 == RowProgram.none) != negated ? 1 : 0 }
    case .and(let left, let right):
      each(run(left), run(right), count) { first, second in
        first == 0 || second == 0 ? 0 : first == RowProgram.none ? first : second
      }
    case .or(let left, let right):
      each(run(left), run(right), count) { first, second in
        first == 1 || second == 1 ? 1 : first == RowProgram.none ? first : second
      }
    case .not(let operand):
      each(run(operand), count) { $0 == RowProgram.none ? $0 : 1 - $0 }
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
    _ comparison: RowComparison, _ left: UnsafePointer<Int64>, _ right: UnsafePointer<Int64>, _ count: Int
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
