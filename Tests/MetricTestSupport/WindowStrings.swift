import MetricData
import MetricPlan

import func Foundation.pow

/// What a window shall be.
package enum WindowMark: Character, CaseIterable, Sendable {
  case incomplete = "."
  case complete = "#"
  case rest = "-"
}

/// The windows 0, 1, 2 … of a completion, and what the language page makes of them. Windows behind the
/// last mark hold no fact.
package struct WindowString: Hashable, Sendable, CustomStringConvertible {
  package var marks: [WindowMark]

  package init(marks: [WindowMark]) {
    self.marks = marks
  }

  /// All strings of up to `length` marks: (3ⁿ⁺¹ − 1) / 2 of them.
  package static func all(upTo length: Int) -> [WindowString] {
    var found = [WindowString(marks: [])]
    var longest = found
    for _ in 0..<length {
      longest = longest.flatMap { string in
        WindowMark.allCases.map { WindowString(marks: string.marks + [$0]) }
      }
      found += longest
    }
    return found
  }

  /// `#.-`, window 0 first.
  package var description: String { String(marks.map(\.rawValue)) }

  /// Complete windows before the first incomplete one; rest windows do not exist.
  package var current: Int { existing.prefix { $0 == .complete }.count }

  /// The greatest streak read from the windows 0…N.
  package func grace(_ windows: Int) -> Int { suffixes.prefix(windows + 1).map(\.current).max() ?? 0 }

  /// The greatest streak on any day: on each day ≤ r the windows are those from some mark on.
  package var best: Int { suffixes.map(\.current).max() ?? 0 }

  /// The run behind the first mark that is incomplete.
  package var previous: Int {
    existing.drop { $0 == .complete }.drop { $0 == .incomplete }.prefix { $0 == .complete }.count
  }

  /// The complete ones of the longest stretch from window 0 back in which no `length` in a row hold more than `open`
  /// incomplete ones.
  package func forgiving(_ open: Int, in length: Int) -> Int {
    let stretch = existing.indices.reversed().map { existing[...$0] }.first { stretch in
      stretch.indices.allSatisfy { stretch[$0...].prefix(length).count { $0 == .incomplete } <= open }
    }
    return stretch?.count { $0 == .complete } ?? 0
  }

  /// Windows before the first fact are not complete.
  package func left(_ open: Int, in length: Int) -> Int {
    max(0, open - (length - existing.prefix(length).count { $0 == .complete }))
  }

  package func bestForgiving(_ open: Int, in length: Int) -> Int {
    suffixes.map { $0.forgiving(open, in: length) }.max() ?? 0
  }

  package func momentum(last windows: Int) -> Int {
    existing.prefix(windows).filter { $0 == .complete }.count
  }

  /// The strength in millionths.
  package func strength(halfLife windows: Int) -> Int64 {
    let m = pow(0.5, 1 / Double(windows))
    let weights = existing.indices.map { Int64(((1 - m) * pow(m, Double($0)) * 1e9).rounded()) }
    let end = weights.firstIndex(of: 0) ?? weights.count
    let sum = zip(existing, weights).prefix(end).filter { $0.0 == .complete }.map(\.1).reduce(0, +)
    return (min(1_000_000_000, sum) + 500) / 1000
  }

  private var existing: [WindowMark] { marks.filter { $0 != .rest } }
  private var suffixes: [WindowString] { marks.indices.map { WindowString(marks: Array(marks[$0...])) } }
}

/// A completion and datasets in which its windows are exactly as strings say: one habit for each string,
/// with the string as its id.
///
/// Every window that shall be complete or rest has one fact that says so. The fact stands on the
/// window's first or last day, so that on each earlier day, too, the windows are those of a shorter
/// string (or none of them is complete, where a calendar window has not reached its fact yet).
package struct WindowStrings: Sendable {
  package enum Placement: CaseIterable, Sendable {
    case firstDay, lastDay
  }

  package static let windows: [Window] = [
    .rolling(days: 1), .rolling(days: 2), .rolling(days: 7), .calendar(.week(from: .monday)),
    .calendar(.week(from: .sunday)), .calendar(.month), .calendar(.quarter), .calendar(.months(12, from: 7)),
  ]

  package var window: Window
  package var placement: Placement
  /// Whether windows that shall be incomplete have a fact that says so, or none at all.
  package var marksIncomplete: Bool

  package init(_ window: Window, _ placement: Placement, marksIncomplete: Bool) {
    self.window = window
    self.placement = placement
    self.marksIncomplete = marksIncomplete
  }

  /// Every window kind, placement and way to be incomplete.
  package static var all: [WindowStrings] {
    windows.flatMap { window in
      Placement.allCases.flatMap { placement in
        [true, false].map { WindowStrings(window, placement, marksIncomplete: $0) }
      }
    }
  }

  /// The reference day: a Wednesday in the middle of its month.
  package static let day = DayKey("2026-08-12")!

  /// The metrics with what a string says of them.
  package static let expectations: [(metric: String, value: @Sendable (WindowString) -> Literal)] = [
    ("complete", { .bool($0.marks.first == .complete) }),
    ("current", { .int(Int64($0.current)) }),
    ("best", { .int(Int64($0.best)) }),
    ("previous", { .int(Int64($0.previous)) }),
    ("grace_1", { .int(Int64($0.grace(1))) }),
    ("grace_3", { .int(Int64($0.grace(3))) }),
    ("last_1", { .int(Int64($0.momentum(last: 1))) }),
    ("last_4", { .int(Int64($0.momentum(last: 4))) }),
    ("kind_1_2", { .int(Int64($0.forgiving(1, in: 2))) }),
    ("kind_2_5", { .int(Int64($0.forgiving(2, in: 5))) }),
    ("kind_best", { .int(Int64($0.bestForgiving(1, in: 3))) }),
    ("half_1", { .decimal(FixedDecimal(millionths: $0.strength(halfLife: 1))) }),
    ("half_3", { .decimal(FixedDecimal(millionths: $0.strength(halfLife: 3))) }),
  ]

  /// `when count(Mark where state == "complete") >= 1  rest when count(Mark where state == "rest") >= 1`
  package var library: Library {
    var plan = PlanBuilder()
    plan.entity("Habit", [.id])
    plan.fact(
      "Mark",
      [
        .id, .required("habitId", plan.reference("Habit")), .day,
        .required("state", .choice(["complete", "rest", "idle"])),
      ])
    func some(_ state: String) -> Expression {
      let filter = Expression.comparison(.equal, plan.row("Mark", "state"), .literal(.text(state)))
      let count = plan.aggregate(.count, "Mark", by: "habitId", filter: filter)
      return .comparison(.greaterOrEqual, count, .literal(.int(1)))
    }
    plan.completion("complete", for: "Habit", every: window, when: some("complete"), rest: some("rest"))
    plan.windows("current", of: "complete")
    plan.windows("best", of: "complete", .best)
    plan.windows("previous", of: "complete", .previous)
    plan.windows("grace_1", of: "complete", .grace(windows: 1))
    plan.windows("grace_3", of: "complete", .grace(windows: 3))
    plan.windows("last_1", of: "complete", .last(windows: 1))
    plan.windows("last_4", of: "complete", .last(windows: 4))
    plan.windows("kind_1_2", of: "complete", .forgiving(Forgiveness(open: 1, in: 2)))
    plan.windows("kind_2_5", of: "complete", .forgiving(Forgiveness(open: 2, in: 5)))
    plan.windows("kind_best", of: "complete", .bestForgiving(Forgiveness(open: 1, in: 3)))
    plan.windows("half_1", of: "complete", .halfLife(windows: 1))
    plan.windows("half_3", of: "complete", .halfLife(windows: 3))
    return plan.library
  }

  /// One habit for each string.
  package func dataset(_ strings: [WindowString]) -> ReferenceDataset {
    let library = library
    var dataset = ReferenceDataset()
    for string in strings {
      dataset.add("Habit", in: library, ["id": .text(subject(string))])
      for (index, mark) in string.marks.enumerated() {
        guard let state = state(mark) else { continue }
        dataset.add(
          "Mark", in: library,
          [
            "id": .text("\(subject(string))/\(index)"), "habitId": .text(subject(string)),
            "dayKey": .day(factDay(index)), "state": .text(state),
          ])
      }
    }
    return dataset
  }

  /// The habit of a string.
  package func subject(_ string: WindowString) -> String { "h" + string.description }

  private func state(_ mark: WindowMark) -> String? {
    switch mark {
    case .incomplete: marksIncomplete ? "idle" : nil
    case .complete: "complete"
    case .rest: "rest"
    }
  }

  /// The first or last day of window k of the reference day.
  private func factDay(_ k: Int) -> DayKey {
    let r = WindowStrings.day
    let (first, last): (DayKey, DayKey)
    switch window {
    case .rolling(let days):
      (first, last) = (r.advanced(by: -days * (k + 1) + 1), r.advanced(by: -days * k))
    case .calendar(let unit):
      last = (0..<k).reduce(r) { day, _ in unit.firstDay(holding: day).advanced(by: -1) }
      first = unit.firstDay(holding: last)
    }
    return placement == .firstDay ? first : last
  }
}
