/// A series of numbers as a line of bars.
///
///     Sparkline.text([1, 2, 3, nil, 8], on: 1...8)  // "▁▂▃–█"
///
/// The least of the scale is `▁`, the greatest `█`; on a scale of one number 0 is `▁`, another one `▅`.
enum Sparkline {
  private static let bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// The scale on which values take all heights; nil if none is known.
  static func scale(_ values: some Sequence<Double?>) -> ClosedRange<Double>? {
    let known = values.compactMap { $0 }
    guard let low = known.min(), let high = known.max() else { return nil }
    return low...high
  }

  /// The bars; nil means no value.
  static func text(_ values: [Double?], on scale: ClosedRange<Double>?) -> String {
    values.map { value in
      guard let value, let scale else { return "–" }
      let length = scale.upperBound - scale.lowerBound
      guard length > 0 else { return value == 0 ? bars[0] : bars[4] }
      return bars[min(bars.count - 1, Int((value - scale.lowerBound) / length * Double(bars.count)))]
    }.joined()
  }

  /// The means of each `size` values beside each other; nil if none is known.
  static func means(_ values: [Double?], size: Int) -> [Double?] {
    guard size > 1 else { return values }
    return stride(from: 0, to: values.count, by: size).map { start in
      let known = values[start..<min(start + size, values.count)].compactMap { $0 }
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
  }
}
