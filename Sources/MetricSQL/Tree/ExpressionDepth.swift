/// How deep expressions are for a parser, from what each operation adds: rendering deep ones whole takes long.
final class ExpressionDepth {
  /// What an operation takes by itself, and what surrounds its operands.
  private typealias Cost = (own: Int, around: Int)

  private let renderer: Renderer
  private var costs: [SQLExpression: Cost] = [:]

  init(_ renderer: Renderer) { self.renderer = renderer }

  func callAsFunction(_ expression: SQLExpression) -> Int {
    let operands = expression.operands
    // One of several costs as if all were in its place.
    let deepest = operands.map { self($0) }.max() ?? 0
    let cost = cost(of: expression.with(operands: operands.map { _ in ExpressionDepth.column }))
    return max(cost.own, operands.isEmpty ? 0 : cost.around + deepest)
  }

  private func cost(of shape: SQLExpression) -> Cost {
    if let cost = costs[shape] { return cost }
    func depth(_ expression: SQLExpression) -> Int { ParserDepth.of(renderer.text(expression)) }
    let deep = shape.with(operands: shape.operands.map { _ in ExpressionDepth.marker })
    let cost = (depth(shape), max(0, depth(deep) - depth(ExpressionDepth.marker)))
    costs[shape] = cost
    return cost
  }

  private static let column = SQLExpression.column(relation: Steps.alias, name: "c")
  /// An operand that is deeper than any operation.
  private static let marker = (1...40).reduce(column) { inner, _ in .negated(inner) }
}
