import Foundation
import MetricData
import MetricEvaluate
import Testing

@testable import MetricCatalogue

@Suite struct PlotTests {
  @Test func axesHaveRoundNumbers() {
    #expect(Axis([0, 97], .whole).ticks == [0, 50, 100])
    #expect(Axis([0, 7], .whole).ticks == [0, 2, 4, 6, 8])
    #expect(Axis([0, 1], .whole).ticks == [0, 1])
    #expect(Axis([-3, 5], .whole).ticks == [-4, -2, 0, 2, 4, 6])
    #expect(Axis([0.2, 0.9], .decimal).ticks == [0, 0.5, 1])
    #expect(Axis([], .whole).ticks == [0, 1])
    #expect(Axis([9e12], .decimal).high >= 9e12)
    #expect(Axis([0.2, 0.9], .share).label(0.5) == "50%")
  }

  @Test func aFunnelHasSharesOfTheFirstStepAndTheStepBefore() throws {
    let rows: [Sample.Row] = [("opened", 200), ("read", 50), ("shared", 5)].map {
      ("first_read", "", "", $0.0, .int($0.1))
    }
    let catalogue = Sample.catalogue(Sample.habits, rows: rows)
    let text = try #require(catalogue.pages.first { $0.path == "metrics/first_read.html" }).text
    #expect(text.contains("25% of “Opened”"))
    #expect(text.contains("2.5% of “Opened”, 10% of the step before"))
    #expect(text.contains("<td>50</td><td>25% of “Opened”</td>"))
    #expect(catalogue.pages[0].text.contains("2.5% <small>from “Opened” to “Shared”</small>"))
  }

  /// No share is above the others: all have the lightest step.
  @Test func sharesOfZeroAreDrawn() throws {
    let rows = [MatrixPlot.Row(label: "June", size: "10", shares: [0, nil, 0], texts: nil)]
    let plot = MatrixPlot(rowHeading: "Month", sizeHeading: "Users", columns: ["1", "2", "3"], rows: rows)
    let figure = try #require(plot.figure("Back", "Nobody"))
    #expect(figure.drawing.text.matches(of: /rect class="heat h0"/).count == 2)
  }

  @Test func aRetentionOfCohortsIsATriangle() throws {
    func cohort(_ month: String, _ rates: [(String, Int64?)]) -> [Sample.Row] {
      rates.flatMap { day, rate -> [Sample.Row] in
        [
          ("back", "", month, "\(day).eligible", .int(rate == nil ? 0 : 10)),
          ("back", "", month, "\(day).returned", .int(rate ?? 0)),
          (
            "back", "", month, "\(day).rate",
            rate.map { .decimal(FixedDecimal(millionths: $0 * 100_000)) } ?? .none
          ),
        ]
      }
    }
    let rows = cohort("2025-12-01", [("d1", 6), ("d7", 3)]) + cohort("2026-01-01", [("d1", 5), ("d7", nil)])
    let catalogue = Sample.catalogue(Sample.habits, rows: rows)
    let text = try #require(catalogue.pages.first { $0.path == "metrics/back.html" }).text
    #expect(text.contains("<th scope=\"row\">Dec 2025</th><td>10</td><td>60%</td><td>30%</td>"))
    #expect(text.contains("<th scope=\"row\">Jan 2026</th><td>10</td><td>50%</td><td>no value</td>"))
  }

  @Test func aHistogramCountsEveryNumber() throws {
    for numbers: [Int64] in [[0, 1, 1, 5], [100, 900, 901, 5000], [7, 7, 7, 7]] {
      let plot = Histogram(
        numbers: numbers.map { FixedDecimal(millionths: $0 * 1_000_000) },
        form: .whole, subjects: "Habits")
      let rows = try #require(plot.figure("A", "")).rows
      #expect(rows.reduce(0) { $0 + (Int($1[1]) ?? 0) } == numbers.count)
      #expect(rows.count <= 20)
    }
  }

  @Test func aCalendarStartsOnMondays() throws {
    let days = (0..<20).map {
      CalendarPlot.Day(day: Sample.day.advanced(by: $0), share: 1, text: "yes", part: 1)
    }
    let plot = CalendarPlot(
      days: days, counted: "Days")
    let figure = try #require(plot.figure("A", ""))
    // 2026-01-31 is a Saturday: the sixth row of the first column.
    #expect(figure.drawing.text.contains("x=\"0.00%\" y=\"90\""))
    #expect(figure.rows == [["Jan 2026", "1", "1"], ["Feb 2026", "19", "19"]])
  }

  /// Places across are shares of the column, so that no chart ends before it; only paths are stretched.
  @Test func drawingsAreAsWideAsTheirColumn() throws {
    let points = (0..<400).map { LinePlot.Point(day: Sample.day.advanced(by: $0 * 5), value: Double($0)) }
    let line = try #require(
      LinePlot(points: points, form: .whole, unit: "days").figure("L", ""))
    #expect(line.markup(id: "p").text.contains("<svg class=\"scale\" width=\"100%\" height=\"190\""))
    #expect(line.drawing.text.contains("<path class=\"line\" d=\"M0 164L2.5 163.6"))
    #expect(line.drawing.text.contains("cx=\"100.00%\""))
    // A strip for each of some hundred days, the last one among them.
    let strips = line.drawing.text.components(separatedBy: "class=\"hit\"").count - 1
    #expect((100...400).contains(strips))
    #expect(line.drawing.text.contains("\(Wording.day(points[399].day)): 399"))
    let bars = BarPlot(
      bars: [.init(label: "a", share: 0.25, number: "1")], headings: ["", ""])
    #expect(try #require(bars.figure("B", "")).drawing.text.contains("width=\"25.00%\""))
    #expect(HTML.across(-0.00125).text == "-0.13%")
  }

  @Test func gapsStayGaps() throws {
    let points = [1.0, 2, nil, 4, nil, 6, 7].enumerated().map {
      LinePlot.Point(day: Sample.day.advanced(by: $0), value: $1)
    }
    let plot = LinePlot(points: points, form: .whole, unit: "days")
    let drawing = try #require(plot.figure("A", "")).drawing.text
    #expect(drawing.components(separatedBy: "class=\"line\"").count == 3)
    #expect(drawing.components(separatedBy: "class=\"dot\"").count == 3)
    #expect(drawing.components(separatedBy: "<svg").count == 2)
  }

  @Test func nothingToDrawIsNoFigure() {
    #expect(LinePlot(points: [], form: .whole, unit: "").figure("L", "") == nil)
    #expect(BarPlot(bars: [], headings: []).figure("B", "") == nil)
    #expect(Histogram(numbers: [], form: .whole, subjects: "").figure("H", "") == nil)
  }
}

extension Figure: Equatable {
  public static func == (left: Figure, right: Figure) -> Bool {
    left.drawing.text == right.drawing.text && left.rows == right.rows
  }
}

@Suite struct LayoutTests {
  @Test func edgesGoToTheRightAndBoxesDoNotOverlap() {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...1_000_000, using: &random)
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<50 {
      let count = 1 + next(30)
      var edges: [(from: Int, to: Int)] = []
      for to in 1..<max(2, count) where to < count {
        for _ in 0..<next(4) { edges.append((next(to), to)) }
      }
      let sizes = (0..<count).map { _ in (width: Double(40 + next(200)), height: 42.0) }
      let layout = LayeredLayout(sizes: sizes, edges: edges)
      for edge in edges {
        let (from, to) = (layout.boxes[edge.from], layout.boxes[edge.to])
        #expect(from.x + from.width < to.x, "seed \(seed)")
      }
      for (index, one) in layout.boxes.enumerated() where !one.isPassage {
        #expect(one.y >= 0 && one.x >= 0 && one.y + one.height <= layout.height + 0.01, "seed \(seed)")
        for other in layout.boxes[(index + 1)...] where other.x == one.x {
          #expect(one.y + one.height <= other.y || other.y + other.height <= one.y, "seed \(seed)")
        }
      }
    }
  }
}

@Suite struct StylesheetTests {
  /// The contrast of WCAG 2.2 (relative luminance, success criteria 1.4.3 and 1.4.11).
  @Test func textAndSignsStandOut() {
    let pairs: [(String, String, Double)] =
      ["text", "dim", "link", "good", "bad", "keyword", "string", "number", "accent"].flatMap {
        [($0, "ground", 4.5), ($0, "raised", 4.5)]
      } + (0...4).map { ("on\($0)", "h\($0)", 4.5) } + [
        ("text", "notice", 4.5), ("text", "user", 4.5), ("text", "team", 4.5), ("dim", "user", 4.5),
        ("dim", "team", 4.5), ("accent", "track", 3), ("userline", "ground", 3), ("teamline", "ground", 3),
        ("dim", "ground", 3), ("h3", "ground", 3),
      ]
    for (front, back, least) in pairs {
      for isDark in [false, true] {
        let ratio = contrast(color(front, isDark), color(back, isDark))
        #expect(ratio >= least, "\(front) on \(back), \(isDark ? "dark" : "light"): \(ratio)")
      }
    }
  }

  private func color(_ name: String, _ isDark: Bool) -> String {
    let color = Stylesheet.colors.first { $0.name == name }
    return (isDark ? color?.dark : color?.light) ?? ""
  }

  private func luminance(_ hex: String) -> Double {
    let number = Int(hex.dropFirst(), radix: 16) ?? 0
    let parts = [16, 8, 0].map { shift -> Double in
      let part = Double(number >> shift & 255) / 255
      guard part > 0.04045 else { return part / 12.92 }
      // The power 2.4 by its logarithm would need Foundation; the square and two fifths of it do not.
      let base = (part + 0.055) / 1.055
      return base * base * fifthRoot(base * base)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  private func fifthRoot(_ value: Double) -> Double {
    var root = 1.0
    for _ in 0..<60 { root -= (root * root * root * root * root - value) / (5 * root * root * root * root) }
    return root
  }

  private func contrast(_ one: String, _ other: String) -> Double {
    let (a, b) = (luminance(one), luminance(other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }
}
