/// A value in SQL, before any engine's spelling of it.
///
/// Numbers are whole: an Int of the language as it is, a Decimal in millionths, a DayKey as days since
/// 1970-01-01. So one tree means the same on every engine.
package indirect enum SQLExpression: Hashable, Sendable {
  /// A column of a relation in the same `from`.
  case column(relation: String, name: String)
  /// A column of a table of the database, read as a value.
  case stored(relation: String, name: String, SQLStoredType)
  /// A small number of the statement's own making: a length, a step, a rank.
  case integer(Int)
  /// A number that the definition names, in 64 bits.
  case number(Int64)
  case text(String)
  case bool(Bool)
  case null(SQLStoredType)
  /// A day that the caller binds, as `YYYY-MM-DD`.
  case parameter(SQLDayParameter)
  case infix(SQLInfix, SQLExpression, SQLExpression)
  case not(SQLExpression)
  case negated(SQLExpression)
  case isNull(SQLExpression, negated: Bool)
  /// Of a list of constants.
  case oneOf(SQLExpression, [SQLExpression], negated: Bool)
  case conditional([SQLBranch], otherwise: SQLExpression?)
  case coalesce([SQLExpression])
  case operation(SQLOperation, [SQLExpression])
  /// An aggregate of a grouped query; nil counts rows.
  case aggregate(SQLAggregate, SQLExpression?)
  case window(SQLWindowFunction, SQLExpression?, SQLWindow)
  /// The one value of a query.
  case subquery(SQLQuery)
  case exists(SQLQuery)
}

/// The reference day, and in a dbt project the first day whose facts have changed.
package enum SQLDayParameter: String, Sendable {
  case at, since
}

package struct SQLBranch: Hashable, Sendable {
  package var condition: SQLExpression
  package var value: SQLExpression
}

package enum SQLInfix: String, Hashable, Sendable {
  case add = "+"
  case subtract = "-"
  /// Of numbers whose product fits 64 bits, or whose excess may be an error of the engine.
  case multiply = "*"
  case equal = "="
  case notEqual = "<>"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case and = "AND"
  case or = "OR"
  case concatenate = "||"
}

/// What engines spell, or compute, differently.
package enum SQLOperation: Hashable, Sendable {
  /// Whole division towards zero, and what is left by it.
  case quotient, remainder
  /// A sum and a difference of values of the language, which may leave 64 bits before they are checked.
  case add, subtract
  /// Int times Int.
  case multiply
  /// Decimal times Decimal in millionths, rounded half away from zero.
  case multiplyMillionths
  /// A quotient in millionths of two numbers of one scale, rounded half away from zero; null by zero.
  case divideMillionths
  /// Millionths to the whole number below.
  case floorMillionths
  /// The number at a place of a list, counted from 0, which the list has.
  case element([Int64])
  /// Null where one is null.
  case least, greatest
  /// Days since 1970-01-01 of a text `YYYY-MM-DD`, and the text of such a number.
  case dayNumber, dayText
  /// A text `YYYY-MM-DD` as the date that a column read as `.date` is compared with.
  case date
  /// A text as a value of a stored type.
  case cast(SQLStoredType)
  /// The first and last day of a day's month; months since a December before 1900.
  case startOfMonth, endOfMonth, monthNumber
  /// The first day of the month that lies this many months after a day's.
  case startOfLaterMonth
  /// The same day this many months later, clamped to the month's last day.
  case addMonths
  /// A text with each of another one replaced by a third; the character of a code.
  case replace, character
  /// Of a text the piece at a place of as many between `CHR(1)`.
  case piece(Int, of: Int)
  /// Decimal notation of a number, and of millionths without trailing zeros.
  case numberText, millionthsText
  /// A number, or an error of the engine where its magnitude is greater than this.
  case checked(Int64)
  /// An error of the engine that shows this text, as a text.
  case fail
  /// The engine's least and greatest of two numbers of which none is null.
  case lower, higher
}

package enum SQLAggregate: Hashable, Sendable {
  case count, countDistinct, min, max
  /// The sum of small numbers.
  case sum
  /// The exact sum of millionths.
  case sumMillionths
  /// The average of millionths in millionths, rounded half away from zero.
  case averageMillionths
  /// Their standard deviation, likewise.
  case deviationMillionths
  /// Whether it holds in any row, as a number of rows.
  case countTrue
  /// The value of the rank `⌈n · percent / 100⌉` of n.
  case percentile(Int)

  static func sum(of type: ValueType) -> SQLAggregate { type == .decimal ? .sumMillionths : .sum }
}

/// What precedes `OVER`: a function and nothing around it.
package enum SQLWindowFunction: String, Sendable {
  case rowNumber = "ROW_NUMBER"
  case rank = "RANK"
  /// Of rows where it takes nothing.
  case count = "COUNT"
  case sum = "SUM"
  case min = "MIN"
  case max = "MAX"
  case lead = "LEAD"
  case lag = "LAG"

  /// Whether it counts or ranks rows.
  var isCount: Bool { [.rowNumber, .rank, .count, .sum].contains(self) }
}

package struct SQLWindow: Hashable, Sendable {
  package var partition: [SQLExpression] = []
  package var order: [SQLOrder] = []
  package var frame: SQLFrame = .whole
}

package enum SQLFrame: String, Sendable {
  /// What the function takes by itself: all rows of the partition where there is no order.
  case whole = ""
  /// From the first row to this one and its peers.
  case throughCurrent = "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
  /// From this row and its peers to the last.
  case fromCurrent = "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"
}

package struct SQLOrder: Hashable, Sendable {
  package var expression: SQLExpression
  package var isDescending = false

  package init(_ expression: SQLExpression, isDescending: Bool = false) {
    (self.expression, self.isDescending) = (expression, isDescending)
  }
}

/// Short forms, so that lowering reads like what it makes.
extension SQLExpression: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(stringLiteral text: String) { self = .text(text) }

  static func + (left: Self, right: Self) -> Self { .infix(.add, left, right) }
  static func - (left: Self, right: Self) -> Self { .infix(.subtract, left, right) }
  static func * (left: Self, right: Self) -> Self { .infix(.multiply, left, right) }
  func equals(_ other: SQLExpression) -> SQLExpression { .infix(.equal, self, other) }
  func isBelow(_ other: SQLExpression) -> SQLExpression { .infix(.less, self, other) }
  func isAtMost(_ other: SQLExpression) -> SQLExpression { .infix(.lessOrEqual, self, other) }
  func isAtLeast(_ other: SQLExpression) -> SQLExpression { .infix(.greaterOrEqual, self, other) }
  func isAbove(_ other: SQLExpression) -> SQLExpression { .infix(.greater, self, other) }
  func and(_ other: SQLExpression) -> SQLExpression { .infix(.and, self, other) }
  func or(_ other: SQLExpression) -> SQLExpression { .infix(.or, self, other) }
  var isMissing: SQLExpression { .isNull(self, negated: false) }
  var isPresent: SQLExpression { .isNull(self, negated: true) }

  /// 1 where it holds, else 0; and whether a number is 1.
  var asNumber: SQLExpression { .cases([self: 1], otherwise: 0) }
  var isOne: SQLExpression { equals(1) }

  func divided(by divisor: SQLExpression) -> SQLExpression { .operation(.quotient, [self, divisor]) }
  func modulo(_ divisor: SQLExpression) -> SQLExpression { .operation(.remainder, [self, divisor]) }

  static func window(
    _ function: SQLWindowFunction, _ argument: SQLExpression? = nil, of partition: [SQLExpression],
    by order: [SQLExpression] = [], _ frame: SQLFrame = .whole
  ) -> SQLExpression {
    .window(
      function, argument, SQLWindow(partition: partition, order: order.map { SQLOrder($0) }, frame: frame))
  }

  /// `case when condition then self end`
  func when(_ condition: SQLExpression, otherwise: SQLExpression? = nil) -> SQLExpression {
    .cases([condition: self], otherwise: otherwise)
  }

  /// The value of the first condition that holds.
  static func cases(
    _ values: KeyValuePairs<SQLExpression, SQLExpression>, otherwise: SQLExpression? = nil
  ) -> SQLExpression {
    .conditional(values.map { SQLBranch(condition: $0, value: $1) }, otherwise: otherwise)
  }

  var conjuncts: [SQLExpression] {
    if case .infix(.and, let left, let right) = self { left.conjuncts + right.conjuncts } else { [self] }
  }

  func or(_ fallback: Int) -> SQLExpression { .coalesce([self, .integer(fallback)]) }

  /// Nil if there is none, as of the others.
  static func all(_ conditions: [SQLExpression]) -> SQLExpression? { conditions.joined { $0.and($1) } }
  static func any(_ conditions: [SQLExpression]) -> SQLExpression? { conditions.joined { $0.or($1) } }
  static func fewest(_ counts: [SQLExpression]) -> SQLExpression? {
    counts.joined { .operation(.lower, [$0, $1]) }
  }

  static func sum(_ terms: [SQLExpression]) -> SQLExpression { terms.joined(by: +) ?? 0 }
}

extension [SQLExpression] {
  /// One expression of all of them, from the first to the last.
  func joined(by pair: (SQLExpression, SQLExpression) -> SQLExpression) -> SQLExpression? {
    first.map { dropFirst().reduce($0, pair) }
  }
}

extension Array where Element: Equatable {
  var withoutRepeats: [Element] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
