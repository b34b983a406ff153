/// Days and texts that are written out: ranges cover numbers only. A `default` is not known to be constant.
extension Expression {
  /// The day or text that it always is; nil where it is a number, none, or not constant.
  var constant: Literal? {
    switch self {
    case .literal(.day(let day)): .day(day)
    case .literal(.text(let text)): .text(text)
    default: nil
    }
  }
}

extension ComparisonOperator {
  /// Whether a comparison of two constants holds. Days have an order, texts have none.
  func holds(_ left: Expression, _ right: Expression) -> Bool? {
    guard let left = left.constant, let right = right.constant else { return nil }
    if case .day(let one) = left, case .day(let other) = right { return holds(one.number, other.number) }
    return self == .equal ? left == right : self == .notEqual ? left != right : nil
  }
}
