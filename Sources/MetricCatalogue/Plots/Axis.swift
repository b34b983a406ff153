/// A scale with round numbers on it, in the padding at the left of a chart that is as wide as its column.
struct Axis {
  /// The height of the chart, and the area in it.
  static let height = 190.0
  static let top = 10.0
  static let bottom = 164.0

  let low: Double
  let high: Double
  let ticks: [Double]
  private let form: NumberForm

  /// The least scale of about four steps that holds all values and 0.
  init(_ values: [Double], _ form: NumberForm) {
    self.form = form
    let isWhole = form == .whole
    let least = min(0, values.min() ?? 0)
    let most = max(values.max() ?? 1, least + (isWhole ? 1 : 1e-6))
    let step = Axis.step(atLeast: (most - least) / 4, isWhole: isWhole)
    low = (least / step).rounded(.down) * step
    high = max((most / step).rounded(.up), 1) * step
    let count = Int(((high - low) / step).rounded())
    let first = low
    ticks = (0...max(1, min(count, 12))).map { first + Double($0) * step }
  }

  /// 1, 2 or 5 times a power of ten.
  private static func step(atLeast size: Double, isWhole: Bool) -> Double {
    var power = isWhole ? 1.0 : 1e-6
    while power * 10 < size { power *= 10 }
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= size } ?? power * 10
  }

  /// 0 at the lower end, 1 at the upper.
  func fraction(_ value: Double) -> Double { (value - low) / (high - low) }

  func y(_ value: Double) -> Double { Axis.bottom - fraction(value) * (Axis.bottom - Axis.top) }

  func label(_ value: Double) -> String { form.text(value) }

  /// A line for each step of the scale, with its number.
  var rows: [HTML] {
    ticks.map { tick in
      """
      <line class="grid" x2="100%" y1="\(y(tick))" y2="\(y(tick))"/>\
      \(HTML.text("tick", "-6", y(tick) + 4, label(tick), anchor: "end"))

      """
    }
  }
}

/// Days along a line, with the months or years that start there.
struct DayAxis {
  let first: DayKey
  let last: DayKey

  /// From 0 to 1.
  func x(_ day: DayKey) -> Double {
    let span = max(1, Int(last.number) - Int(first.number))
    return Double(Int(day.number) - Int(first.number)) / Double(span)
  }

  /// The first days of months, so many that their names have room; the two ends where no month starts.
  var ticks: [(day: DayKey, label: String)] {
    let months = sequence(first: first.startOfMonth) { $0.advanced(byMonths: 1) }.lazy
    let starts = Array(months.drop { $0 < first }.prefix { $0 <= last }.prefix(2400))
    guard starts.count > 1 else { return [(first, Wording.day(first)), (last, Wording.day(last))] }
    let every = [1, 2, 3, 6, 12, 24, 60, 120, 600].first { starts.count / $0 <= 6 } ?? 1200
    let kept = starts.filter { ($0.civil.year * 12 + $0.civil.month - 1) % every == 0 }
    return kept.enumerated().map { index, day in
      let civil = day.civil
      if civil.month == 1 || every >= 12 { return (day, "\(civil.year)") }
      return (day, index == 0 ? Wording.month(of: day) : Wording.months[civil.month - 1])
    }
  }
}
