/// The numbers that an expression can be, by its form alone: each is `offset` more than a multiple of
/// `step`, in millionths. A constant has the step 0. A `default` can be any number of its type.
struct Grid {
  var step: Int64
  var offset: Int64

  private static let whole = Grid(step: Values.one, offset: 0)
  private static let finest = Grid(step: 1, offset: 0)

  static func constant(_ number: Int64) -> Grid { Grid(step: 0, offset: number) }

  init(step: Int64, offset: Int64) {
    self.step = step
    self.offset = step == 0 ? offset : offset % step
  }

  init(_ expression: Expression) {
    switch expression {
    case .literal(let literal): self = literal.millionths.map(Grid.constant) ?? .finest
    case .widened(let inner): self = Grid(inner)
    case .negated(let operand):
      let grid = Grid(operand)
      self.init(step: grid.step, offset: -grid.offset)
    case .arithmetic(.add, let left, let right): self = Grid(left).adding(Grid(right))
    case .arithmetic(.subtract, let left, let right): self = Grid(left).adding(Grid(.negated(right)))
    case .arithmetic(.multiply, let left, let right): self = Grid(left).multiplied(by: Grid(right))
    case .conditional(_, let then, let otherwise): self = Grid(then).union(Grid(otherwise))
    case .function(.least, let operands), .function(.greatest, let operands):
      self = Grid(operands[0]).union(Grid(operands[1]))
    default: self = expression.type == .int ? .whole : .finest
    }
  }

  func holds(_ number: Int64) -> Bool { meets(.constant(number)) }

  /// Whether a number can lie on both.
  func meets(_ other: Grid) -> Bool {
    let (gap, overflows) = offset.subtractingReportingOverflow(other.offset)
    let common = Grid.divisor(step, other.step)
    return overflows || (common == 0 ? gap == 0 : gap % common == 0)
  }

  private func adding(_ other: Grid) -> Grid {
    let (sum, overflows) = offset.addingReportingOverflow(other.offset)
    return overflows ? .finest : Grid(step: Grid.divisor(step, other.step), offset: sum)
  }

  /// A whole multiple is not rounded.
  private func multiplied(by other: Grid) -> Grid {
    if step == 0, offset % Values.one == 0 { return other.scaled(by: offset / Values.one) }
    if other.step == 0, other.offset % Values.one == 0 { return scaled(by: other.offset / Values.one) }
    return isWhole && other.isWhole ? .whole : .finest
  }

  var isWhole: Bool { step % Values.one == 0 && offset % Values.one == 0 }

  private func scaled(by factor: Int64) -> Grid {
    let (wider, overflows) = step.multipliedReportingOverflow(by: factor)
    let (moved, overflowsToo) = offset.multipliedReportingOverflow(by: factor)
    return overflows || overflowsToo ? .finest : Grid(step: wider, offset: moved)
  }

  private func union(_ other: Grid) -> Grid {
    let (gap, overflows) = offset.subtractingReportingOverflow(other.offset)
    if overflows { return .finest }
    return Grid(step: Grid.divisor(Grid.divisor(step, other.step), gap), offset: offset)
  }

  /// The greatest common divisor; that of 0 and x is x.
  private static func divisor(_ one: Int64, _ other: Int64) -> Int64 {
    var (one, other) = (one.magnitude, other.magnitude)
    while other != 0 { (one, other) = (other, one % other) }
    return Int64(clamping: one)
  }
}
