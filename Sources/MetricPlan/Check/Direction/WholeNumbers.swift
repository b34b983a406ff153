extension Expression {
  /// Whether each number that it can be is whole, by its form alone. A `default` is by its type.
  var isWhole: Bool {
    switch self {
    case .literal(let literal): literal.millionths.map { $0 % Values.one == 0 } ?? false
    case .widened(let inner), .negated(let inner): inner.isWhole
    case .arithmetic(.add, let left, let right), .arithmetic(.subtract, let left, let right),
      .arithmetic(.multiply, let left, let right), .conditional(_, let left, let right):
      left.isWhole && right.isWhole
    case .function(.least, let operands), .function(.greatest, let operands): operands.allSatisfy(\.isWhole)
    default: type == .int
    }
  }

  /// The distance of the numbers that it can be, in millionths.
  var step: Int64 { isWhole ? Values.one : 1 }
}
