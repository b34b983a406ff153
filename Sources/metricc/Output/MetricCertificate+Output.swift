import MetricCheck
import MetricDiagnostics
import MetricLanguage
import MetricValues

extension MetricCertificate {
  var json: JSONText {
    .object([
      ("recomputable", .bool(isRecomputable)), ("derived", .bool(isDerived)),
      ("timeZoneSafe", .bool(isTimeZoneSafe)), ("nonPunitive", isNonPunitive.map(JSONText.bool) ?? .null),
      ("direction", .string(direction.rawValue)), ("range", .range(low, high)),
      ("onNoData", onNoData.json), ("leaves", .array(leaves.map { .string($0) })),
      ("declared", .array(declared.map { .string($0) })),
    ])
  }
}

extension PlannedMetric.Part {
  func json(proved: PartCertificate) -> JSONText {
    .object([
      ("name", .string(name)), ("type", .string(type)), ("direction", .string(proved.direction.rawValue)),
      ("basis", .string(proved.basis.rawValue)), ("range", .range(proved.low, proved.high)),
      ("onNoData", proved.onNoData.json),
    ])
  }
}

extension ValueOnNoData {
  /// No value is null, what is not known exactly a range.
  var json: JSONText {
    switch self {
    case .none: .null
    case .bool(let value): .bool(value)
    case .number(let value): .init(verbatim: value.description)
    case .between(let low, let high, _): .range(low, high)
    }
  }
}

extension JSONText {
  fileprivate static func range(_ low: FixedDecimal?, _ high: FixedDecimal?) -> JSONText {
    .array([low, high].map { bound in bound.map { JSONText(verbatim: $0.description) } ?? .null })
  }
}
