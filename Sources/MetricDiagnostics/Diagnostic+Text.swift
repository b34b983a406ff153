extension Diagnostic {
  /// The finding as people read it on a terminal or in a log.
  ///
  ///     habits.metric:3:9: error: `daily` is no window; write `every day` [S021 expected-window]
  ///       every daily
  ///             ^^^^^
  ///     fix: write `day`
  ///
  /// The source line is shown as it stands, with the span underlined; a span of several lines is
  /// underlined to the end of its first, and of a very long line only the part around it is shown.
  /// Notes with a place show its line too. Places in data files and folders have no source line.
  /// Control characters of the user's text are shown as `�`. The text ends with a line break.
  public func rendered(in sources: [SourceFile], color: Bool = false) -> String {
    let style = Style(isColored: color)
    func lines(_ location: Location?, _ label: String, _ message: String) -> [String] {
      let place = location.flatMap { Place($0, in: sources) }
        .map { style.bold(printable($0.text) + ":") + " " }
      return ["\(place ?? "")\(style.label(label)) \(message)"] + excerpt(location, in: sources, style)
    }
    let tag = style.bold("[\(code)]")
    let all =
      lines(location, severity.rawValue, "\(printable(message)) \(tag)")
      + notes.flatMap { lines($0.location, "note", printable($0.message)) }
      + fixes.flatMap { lines(nil, "fix", printable($0.title)) }
    return all.map { $0 + "\n" }.joined()
  }

  /// The line where a span starts, and carets under the span.
  private func excerpt(_ location: Location?, in sources: [SourceFile], _ style: Style) -> [String] {
    guard case .source(let span) = location, sources.indices.contains(span.file) else { return [] }
    let (first, line, length) = sources[span.file].surroundings(of: span, atMost: 4 * Self.longestExcerpt)
    let shown = Self.window(around: first, in: line)
    let indent = line[shown.lowerBound..<first].map(Self.blank).joined()
    let last = min(first + length, shown.upperBound)
    let width = line[first..<max(first, last)].count { !Self.isCombining($0) }
    let carets = String(repeating: "^", count: max(1, width))
    return [
      "  " + printable(String(String.UnicodeScalarView(line[shown]))),
      "  " + indent + style.carets(carets),
    ]
  }

  /// How many characters of a line are shown.
  private static let longestExcerpt = 240

  /// The part of a line that is shown: all of it, or what surrounds the column.
  private static func window(around column: Int, in line: [Unicode.Scalar]) -> Range<Int> {
    guard line.count > longestExcerpt else { return 0..<line.count }
    let start = max(0, min(column - longestExcerpt / 2, line.count - longestExcerpt))
    return start..<(start + longestExcerpt)
  }

  /// What is under a character that is not underlined: a tab stays one.
  private static func blank(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\t" { return "\t" }
    return isCombining(scalar) ? "" : " "
  }

  private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .nonspacingMark
  }

  /// The user's text without anything that a terminal would obey.
  private func printable(_ text: String) -> String { MetricDiagnostics.printable(text, keepsTabs: true) }
}

/// The colours of a terminal, or none.
private struct Style {
  var isColored: Bool

  func bold(_ text: String) -> String { paint(text, "1") }

  func carets(_ text: String) -> String { paint(text, "1;32") }

  /// `error:` in red, `warning:` in yellow, the others in cyan.
  func label(_ name: String) -> String {
    paint(name + ":", ["error": "1;31", "warning": "1;33"][name] ?? "1;36")
  }

  private func paint(_ text: String, _ code: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
