import MetricData
import MetricDiagnostics
import MetricLanguage
import Testing

@testable import MetricPlan

/// What a small library says of an expression, for the tests of the rows of `Documentation/Checker.md`.
struct DirectionTable {
  /// Records and metrics that the expressions may name; the metrics are for teams, so that none is
  /// rejected.
  static let prelude = """
    extend Habit { size : Int?  room : Decimal? min 0  open : Bool?  startDay : DayKey? }
    fact Run {
      id : ID  habitId : Habit  dayKey : DayKey
      n : Int min 0  x : Decimal?  done : Bool  mood : "calm" | "tired" ?
    }
    fact Plan setting { id : ID  habitId : Habit  dayKey : DayKey  perWeek : Int min 1  change : Int }
    completion c { for habit  every day  when count(Run) >= 1 }
    completion falling { for habit  audience team  every day  when count(Run) <= 1 }
    completion resting {
      for habit  audience team  every day  when count(Run) >= 1  rest when count(HabitEntry) == 0
    }
    completion lasting { for habit  every day  when count(Run over all time) >= 2 }
    completion unbroken { for habit  every day  when count(Run) >= 1  rest when 1 > 0 }
    completion never { for habit  every day  when count(Run) == -1 }
    completion quarterly { for habit  every calendar quarter from february  when count(Run) >= 1 }
    momentum m7 { of c  over last 7 days }
    measure total { for habit  audience team  value sum(Run.n) }
    measure week { for habit  audience team  value sum(Run.n)  over last 7 days }
    measure greatest_run { for habit  audience team  value max(Run.n)  over last 1 day }
    measure balance { for habit  audience team  value sum(Run.x)  over last 1 day }
    measure daily_only { for habit where cadence == "daily"  audience team  value count(Run) }

    """

  /// Direction as facts are added, range, direction as days pass: `rising 0…7 unknown`.
  static func says(_ expression: String, subject: String = "habit") -> String {
    declares("measure m { for \(subject)  audience team  value \(expression) }")
  }

  /// The same of the metric `m` that some declarations hold, for one part.
  static func declares(_ declarations: String, part: String = "") -> String {
    let library = MetricLibrary(sources: [SourceFile(path: "test.metric", text: prelude + declarations)])
    let errors = library.findings.filter { $0.severity == .error }
    guard let id = library.plan.metric(named: "m") else { return "\(errors.map(\.message))" }
    let analysis = DirectionAnalysis(library: library.plan)
    let behaviour = analysis.behaviour(of: id, part: part)
    let type = library.plan.metrics[id].parts.first { $0.name == part }?.type ?? .int
    let isBool = type == .bool
    let directions = [behaviour.added, behaviour.passing].map { Direction($0, isBool: isBool).rawValue }
    guard type.isNumber else { return directions.joined(separator: " ") }
    return [directions[0], range(behaviour.values), directions[1]].joined(separator: " ")
  }

  private static func range(_ values: Values) -> String {
    func bound(_ value: Int64) -> String {
      abs(value) == Values.limit ? (value < 0 ? "-∞" : "∞") : FixedDecimal(millionths: value).description
    }
    guard values.mayBePresent else { return "none" }
    return "\(bound(values.low))…\(bound(values.high))\(values.mayBeNone ? "?" : "")"
  }
}

/// An expression, and what the table says of it.
struct DirectionRow: CustomTestStringConvertible, Sendable {
  var expression: String
  var expected: String
  var subject: String
  var testDescription: String { expression }

  init(_ expression: String, _ expected: String, subject: String = "habit") {
    self.expression = expression
    self.expected = expected
    self.subject = subject
  }
}
