/// Days and texts that are written out: ranges cover numbers only. A `default` is not known to be constant.
enum Constants {
  /// The day or text that an expression always is; nil where it is a number, none, or not constant.
  static func constant(of expression: Expression) -> Literal? {
    switch expression {
    case .literal(.day(let day)): .day(day)
    case .literal(.text(let text)): .text(text)
    default: nil
    }
  }

  /// Whether a comparison of two constants holds.
  static func compare(_ operation: ComparisonOperator, _ left: Expression, _ right: Expression) -> Bool? {
    guard let left = constant(of: left), let right = constant(of: right) else { return nil }
    switch operation {
    case .equal: return left == right
    case .notEqual: return left != right
    case .less: return order(left, right).map { $0 < 0 }
    case .lessOrEqual: return order(left, right).map { $0 <= 0 }
    case .greater: return order(left, right).map { $0 > 0 }
    case .greaterOrEqual: return order(left, right).map { $0 >= 0 }
    }
  }

  /// Days have an order, texts have none.
  private static func order(_ left: Literal, _ right: Literal) -> Int32? {
    guard case .day(let one) = left, case .day(let other) = right else { return nil }
    return one.number - other.number
  }
}
