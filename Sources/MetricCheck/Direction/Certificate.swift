import MetricPlan

/// What the analysis proves of a metric: the answers to the fourth question, and the numbers behind.
package struct Certificate: Sendable {
  /// Of all parts together, as facts are added.
  package var direction: Direction
  /// In millionths; nil where there is no bound, or the value is no number.
  package var low: Int64?
  package var high: Int64?
}

extension DirectionAnalysis {
  package func certificate(of id: MetricID) -> Certificate {
    let metric = library.metrics[id]
    let behaviours = behaviours(of: id)
    let directions = zip(behaviours, metric.parts).map { behaviour, part in
      Direction(behaviour.added, isBool: part.type == .bool)
    }
    let distinct = Set(directions).subtracting([.constant])
    let direction = distinct.count > 1 ? .unknown : distinct.first ?? .constant
    guard let part = metric.parts.first, let behaviour = behaviours.first, part.type.isNumber,
      behaviour.values.mayBePresent
    else { return Certificate(direction: direction, low: nil, high: nil) }
    return Certificate(
      direction: direction, low: behaviour.values.low == -Values.limit ? nil : behaviour.values.low,
      high: behaviour.values.high == Values.limit ? nil : behaviour.values.high)
  }
}
