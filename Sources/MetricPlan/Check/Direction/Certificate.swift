/// What the analysis proves of one part of a metric.
public struct PartCertificate: Hashable, Sendable {
  /// Empty for the metric's own value.
  public let name: String
  /// What the value is: measured, declared or constant (C1).
  public let basis: PartBasis
  /// As facts are added.
  public let direction: Direction
  /// Of the values when there is one; nil if there is no bound, or the value is not a number.
  public let low: FixedDecimal?
  public let high: FixedDecimal?
  public let onNoData: ValueOnNoData
}

/// The value on a dataset without its facts.
public enum ValueOnNoData: Hashable, Sendable {
  case none
  case bool(Bool)
  case number(FixedDecimal)
  /// It depends on entities and links, or is not known more exactly; nil means no bound.
  case between(FixedDecimal?, FixedDecimal?, orNone: Bool)
}

/// What a value rests on.
public enum PartBasis: String, Sendable {
  /// On facts, and on the existence of records; declared numbers are parameters.
  case measured
  /// On what somebody wrote into an entity, a link or a setting.
  case declared
  case constant

  init(_ basis: Basis) {
    self =
      switch basis.source {
      case .constant: .constant
      case .chosen, .declared, .shown: .declared
      case .measured: .measured
      }
  }
}

extension [PartCertificate] {
  /// Of all parts together: that of those that move, where they agree.
  package var direction: Direction {
    let moving = Set(map(\.direction)).subtracting([.constant])
    return moving.count > 1 ? .unknown : moving.first ?? .constant
  }
}

extension BasisAnalysis {
  /// What is proved of each part of a metric, in the order of the plan.
  package func certificates(of id: MetricID) -> [PartCertificate] {
    zip(zip(directions.behaviours(of: id), parts[id]), library.metrics[id].parts).map { known, part in
      let (behaviour, basis) = known
      let range = part.type.isNumber && behaviour.values.mayBePresent ? behaviour.values : nil
      return PartCertificate(
        name: part.name, basis: PartBasis(basis),
        direction: Direction(behaviour.added, isBool: part.type == .bool), low: range?.lowest,
        high: range?.highest, onNoData: ValueOnNoData(behaviour.onNoData, part.type))
    }
  }
}

extension ValueOnNoData {
  fileprivate init(_ values: Values, _ type: ValueType) {
    // A Bool that is none counts as false.
    let isExact = values.low == values.high && (!values.mayBeNone || type == .bool && values.high == 0)
    self =
      switch type {
      case _ where !values.mayBePresent: .none
      case .bool where isExact: .bool(values.high != 0)
      case .int where isExact, .decimal where isExact: .number(FixedDecimal(millionths: values.low))
      case .int, .decimal: .between(values.lowest, values.highest, orNone: values.mayBeNone)
      case .bool, .dayKey, .text, .instant: .between(nil, nil, orNone: values.mayBeNone)
      }
  }
}

extension Values {
  fileprivate var lowest: FixedDecimal? {
    low == -Values.limit ? nil : FixedDecimal(millionths: low)
  }
  fileprivate var highest: FixedDecimal? {
    high == Values.limit ? nil : FixedDecimal(millionths: high)
  }
}
