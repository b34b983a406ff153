extension MetricCertificate {
  var json: JSONText {
    .object([
      "recomputable": isRecomputable, "derived": isDerived, "timeZoneSafe": isTimeZoneSafe,
      "nonPunitive": isNonPunitive, "direction": direction.rawValue, "range": JSONText.range(low, high),
      "onNoData": onNoData.json, "leaves": leaves, "declared": declared,
      "observed": observed, "limits": limits,
    ])
  }
}

extension PlannedMetric.Part {
  func json(proved: PartCertificate) -> JSONText {
    .object([
      "name": name, "type": type, "direction": proved.direction.rawValue, "basis": proved.basis.rawValue,
      "range": JSONText.range(proved.low, proved.high), "onNoData": proved.onNoData.json,
    ])
  }
}

extension ValueOnNoData {
  /// No value is null, what is not known exactly a range.
  var json: JSONText {
    switch self {
    case .none: .null
    case .bool(let value): value.json
    case .number(let value): .init(verbatim: value.description)
    case .between(let low, let high, _): .range(low, high)
    }
  }
}

extension JSONText {
  fileprivate static func range(_ low: FixedDecimal?, _ high: FixedDecimal?) -> JSONText {
    [low, high].map { bound in bound.map { JSONText(verbatim: $0.description) } }.json
  }
}
