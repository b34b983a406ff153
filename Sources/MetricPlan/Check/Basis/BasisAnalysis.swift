/// What every part of every metric rests on.
package struct BasisAnalysis {
  let directions: DirectionAnalysis
  /// By metric and part; a metric comes after those that it reads.
  private(set) var parts: [[Basis]] = []

  package init(_ directions: DirectionAnalysis) {
    self.directions = directions
    for metric in library.metrics { parts.append(basis(of: metric)) }
  }

  var library: Library { directions.library }

  func basis(of id: MetricID, part: String) -> Basis {
    let index = library.metrics[id].parts.firstIndex { $0.name == part } ?? 0
    return parts[id][index]
  }

  func scope(isCondition: Bool = false) -> ExpressionBasis {
    ExpressionBasis(analysis: self, isCondition: isCondition)
  }

  private func basis(of metric: Metric) -> [Basis] {
    let found = bodies(metric)
    guard let condition = metric.subject.condition,
      scope(isCondition: true).basis(of: condition).source >= .declared
    else { return found }
    // A row that is there for some subjects alone says what selects them.
    return found.map { $0.isMeasured && $0.isZero ? $0.steady(false) : .shown }
  }

  private func bodies(_ metric: Metric) -> [Basis] {
    // A threshold that a declared number reaches says what was declared.
    if case .level(let level) = metric.body {
      // No value reaches no threshold.
      let found = basis(of: level.metric, part: level.part)
      return [level.thresholds[0].millionths > 0 || found.isSteady ? found.asCondition : .shown]
    }
    // No window is complete without a fact.
    guard metric.body.over != nil else { return metric.parts.map { _ in .measured(zero: true) } }
    let found = metric.body.expressions.map { scope().basis(of: $0) }
    return found.count == 1 ? found : found + [ExpressionBasis.quotient(found[0], found[1], isSwitch: false)]
  }
}
