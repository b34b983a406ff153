extension DayKey: Codable {
  /// `"2026-01-31"`
  public func encode(to encoder: any Encoder) throws { try encodeText(description, to: encoder) }

  public init(from decoder: any Decoder) throws {
    self = try decodeText(from: decoder, "a day from \(DayKey.range) as YYYY-MM-DD") { DayKey($0) }
  }
}

extension Instant: Codable {
  /// `"2026-01-31T06:15:00.25Z"`
  public func encode(to encoder: any Encoder) throws { try encodeText(description, to: encoder) }

  public init(from decoder: any Decoder) throws {
    self = try decodeText(from: decoder, "an Instant such as 2026-01-31T06:15:00Z") { Instant($0) }
  }
}

extension FixedDecimal: Codable {
  /// A number, or a text such as `"4500000001.000001"` where a `Double` would not keep the millionths.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if isWhole {
      try container.encode(millionths / FixedDecimal.scale)
    } else if millionths.magnitude < 1 << 52 {
      try container.encode(Double(self))
    } else {
      try container.encode(description)
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let decimal =
      if let whole = try? container.decode(Int64.self) {
        FixedDecimal(whole)
      } else if let number = try? container.decode(Double.self) {
        FixedDecimal(rounding: number)
      } else {
        try? FixedDecimal.parse(try container.decode(String.self))
      }
    guard let decimal else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "expected a number within ±9,000,000,000,000")
      )
    }
    self = decimal
  }

  /// The nearest number of millionths; nil outside the range.
  public init?(rounding number: Double) {
    let millionths = (number * Double(FixedDecimal.scale)).rounded()
    guard millionths.magnitude <= Double(FixedDecimal.limit) else { return nil }
    self.init(millionths: Int64(millionths))
  }
}

extension Double {
  /// The nearest `Double`.
  public init(_ decimal: FixedDecimal) { self = Double(decimal.millionths) / Double(FixedDecimal.scale) }
}

private func encodeText(_ text: String, to encoder: any Encoder) throws {
  var container = encoder.singleValueContainer()
  try container.encode(text)
}

private func decodeText<Value>(
  from decoder: any Decoder, _ expected: String, _ parse: (String) -> Value?
) throws -> Value {
  let text = try decoder.singleValueContainer().decode(String.self)
  guard let value = parse(text) else {
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "expected \(expected), found `\(text)`"))
  }
  return value
}
