/// Sums and differences seen as a whole: `a - (b - c)` is a + c - b, and what is subtracted may be held
/// by what is added.
struct TermsRule {
  private let scope: ExpressionAnalysis
  private var added: [Expression] = []
  private var taken: [Expression] = []

  /// Longer ones are examined pair by pair alone.
  private static let most = 12

  /// Nil if nothing is subtracted, or nothing added.
  init?(_ expression: Expression, _ scope: ExpressionAnalysis) {
    self.scope = scope
    collect(expression, isAdded: true)
    guard !added.isEmpty, !taken.isEmpty, added.count + taken.count <= TermsRule.most else { return nil }
  }

  private mutating func collect(_ expression: Expression, isAdded: Bool) {
    guard added.count + taken.count <= TermsRule.most else { return }
    switch expression {
    case .arithmetic(.add, let left, let right):
      collect(left, isAdded: isAdded)
      collect(right, isAdded: isAdded)
    case .arithmetic(.subtract, let left, let right):
      collect(left, isAdded: isAdded)
      collect(right, isAdded: !isAdded)
    case .negated(let operand): collect(operand, isAdded: !isAdded)
    case .widened(let inner): collect(inner, isAdded: isAdded)
    // A term as it stands, whatever it is.
    default: if isAdded { added.append(expression) } else { taken.append(expression) }
    }
  }

  /// The bounds of the whole, where it is present.
  func narrowed(_ values: Values) -> Values {
    var values = values
    if let low = atLeast(added, taken) { values.low = max(values.low, low) }
    if let high = atLeast(taken, added) { values.high = min(values.high, -high) }
    return values
  }

  /// The least that `plus` without `minus` can be: each of these that has no bound of its own is held by one
  /// of those that is never below it.
  private func atLeast(_ plus: [Expression], _ minus: [Expression]) -> Int64? {
    let order = Pointwise(scope: scope)
    var (free, low) = (plus, Values.exactly(0))
    for term in minus {
      let values = scope.values(of: term)
      if values.high < Values.limit {
        low = low.adding(values.negated)
      } else if let place = free.firstIndex(where: { order.isAtMost(term, $0) }) {
        free.remove(at: place)
      } else {
        return nil
      }
    }
    for term in free { low = low.adding(scope.values(of: term)) }
    return low.low == -Values.limit ? nil : low.low
  }

  /// Whether no fact lowers the whole: each subtracted term rises by no more than one that is added.
  var neverFalls: Bool {
    var free = added
    for term in taken {
      let moves = scope.behaviour(of: term).added
      if moves.isDisjoint(with: [.rises, .vanishes]) { continue }
      guard let place = free.firstIndex(where: { scope.isHeld(term, by: $0) }) else { return false }
      free.remove(at: place)
    }
    return free.allSatisfy { scope.behaviour(of: $0).added.isDisjoint(with: [.falls, .vanishes]) }
  }
}
