import MetricEvaluate
import MetricValues

/// A series of numbers as a line of bars.
///
///     Sparkline.text([1, 2, 3, nil, 5])  // "▁▂▅–▇"
///
/// The lowest value is `▁`, the highest `▇`; a series that stays the same is `▁` at 0 and `▅` elsewhere.
enum Sparkline {
  private static let bars = ["▁", "▂", "▃", "▅", "▇"]

  /// The bars; nil is no value.
  static func text(_ values: [Double?]) -> String {
    let known = values.compactMap { $0 }
    guard let low = known.min(), let high = known.max() else {
      return String(repeating: "–", count: values.count)
    }
    return values.map { value in
      guard let value else { return "–" }
      guard high > low else { return low == 0 ? bars[0] : bars[3] }
      let share = (value - low) / (high - low)
      return bars[min(bars.count - 1, Int(share * Double(bars.count)))]
    }.joined()
  }

  /// The means of each `size` values beside each other; nil where none is known.
  static func means(_ values: [Double?], size: Int) -> [Double?] {
    guard size > 1 else { return values }
    return stride(from: 0, to: values.count, by: size).map { start in
      let known = values[start..<min(start + size, values.count)].compactMap { $0 }
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
  }
}
