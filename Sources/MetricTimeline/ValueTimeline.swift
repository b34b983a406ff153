/// Values of a subject on some days in a row, made ahead: what a widget or a watch shows while nothing more is logged.
///
/// The app makes it with `MetricSession.timeline` and writes it where the widget reads it, such as the folder of an app
/// group. This target has no dependency, not even Foundation, so that a widget links neither definitions nor evaluator.
///
///     let timeline = try JSONDecoder().decode(ValueTimeline.self, from: Data(contentsOf: file))
///     timeline["daily_streak", on: "2026-01-03"]?.text  // "23"
public struct ValueTimeline: Codable, Hashable, Sendable {
  /// Empty for metrics of the whole app.
  public var subject: String
  /// The days, `YYYY-MM-DD`, one after the other.
  public var days: [String]
  /// The numbers, in the order in which the metrics were named, each with its parts.
  public var lines: [Line]

  public init(subject: String, days: [String], lines: [Line]) {
    (self.subject, self.days, self.lines) = (subject, days, lines)
  }

  /// One number on all the days.
  public struct Line: Codable, Hashable, Sendable {
    public var metric: String
    /// Empty for the metric's own value: `left`, `target`.
    public var part: String
    /// What people read instead of the metric's name.
    public var title: String?
    public var unit: String?
    /// One for each day; nil if there is no value.
    public var values: [Cell?]

    public init(metric: String, part: String, title: String?, unit: String?, values: [Cell?]) {
      (self.metric, self.part, self.title, self.unit, self.values) = (metric, part, title, unit, values)
    }
  }

  /// A value as text, so that a decimal stays exact: `23`, `0.5`, `true`, `2026-01-03`.
  public struct Cell: Codable, Hashable, Sendable, CustomStringConvertible {
    public var text: String

    /// A value as `metricc eval --format csv` writes it.
    public init(_ text: String) { self.text = text }

    public init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the text alone, so that a file stays small.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }

    /// For a gauge or a chart; nil for what is not a number.
    public var number: Double? { Double(text) }
    /// Of a completion.
    public var isTrue: Bool { text == "true" }
    public var description: String { text }
  }

  /// The value on a day, `YYYY-MM-DD`; nil if there is none, and outside the days: the app has to make a new timeline.
  public subscript(metric: String, part part: String = "", on day: String) -> Cell? {
    guard let place = days.firstIndex(of: day),
      let line = lines.first(where: { $0.metric == metric && $0.part == part }),
      line.values.indices.contains(place)
    else { return nil }
    return line.values[place]
  }
}
