import MetricData
import MetricPlan

/// When a condition of a completion may change from one window to the next, as far as its text shows.
///
/// `weekday(day) in ["sunday"] or day < habit.startDay` changes at `habit.startDay` and goes round with the
/// week; an aggregate changes where a fact enters its period or leaves it. So windows between two such days
/// need not be asked one by one.
struct Course {
  /// False where it may change on any day: it reads a metric, or reckons with `day`.
  var isSteady = true
  /// Whether it goes round with the days of the week.
  var asksWeekday = false
  /// DayKeys of the subject with which `day` is compared: it may change there and on the next day.
  var bounds: [Program] = []
  /// The facts that its aggregates see, and in which period; nil is the window.
  var facts: [(days: PresenceDays, period: Period?)] = []
}

extension Compiler {
  /// The course of a condition of a completion.
  func course(of condition: Expression?) throws(EvaluationError) -> Course {
    var course = Course()
    if let condition { try follow(condition, &course) }
    return course
  }

  private func follow(_ expression: Expression, _ course: inout Course) throws(EvaluationError) {
    switch expression {
    case .literal, .field: break
    case .day, .metric, .completions, .subjects: course.isSteady = false
    case .aggregate(let aggregate):
      // Inside its `where`, `day` is the fact's.
      if let days = try engine.knownPresence(aggregate.record, aggregate.route, self) {
        course.facts.append((days, aggregate.period))
      } else {
        course.isSteady = false
      }
    case .function(.weekday, let operands) where operands == [.day]: course.asksWeekday = true
    case .comparison(_, let left, let right):
      if let bound = try bound(left, right) {
        course.bounds.append(bound)
      } else if let bound = try bound(right, left) {
        course.bounds.append(bound)
      } else {
        try follow(left, &course)
        try follow(right, &course)
      }
    case .membership(.day, let literals, _):
      for literal in literals {
        let cell = cell(of: literal)
        course.bounds.append { _ in cell }
      }
    case .arithmetic, .negated, .membership, .isNone, .and, .or, .not, .conditional, .function, .widened:
      for operand in expression.operands { try follow(operand, &course) }
    }
  }

  /// The day at which a comparison of `day`, or of days between it and another, with something that stays the
  /// same changes; nil where it is no such comparison.
  private func bound(_ asked: Expression, _ other: Expression) throws(EvaluationError) -> Program? {
    guard other.isSameOnAllDays else { return nil }
    if asked == .day { return try compile(other) }
    guard case .function(.daysBetween, let operands) = asked, operands.count == 2, other.type == .int else {
      return nil
    }
    let isForward = operands[0] == .day
    let from = operands[isForward ? 1 : 0]
    guard operands[isForward ? 0 : 1] == .day, from.isSameOnAllDays else { return nil }
    let (start, length) = (try compile(from), try compile(other))
    return { worker in
      let (start, length) = (start(worker), length(worker))
      if start == noValue || length == noValue { return noValue }
      return isForward ? start + length : start - length
    }
  }
}

extension Expression {
  /// Whether it depends on nothing but the subject.
  fileprivate var isSameOnAllDays: Bool {
    switch self {
    case .day, .metric, .aggregate, .completions, .subjects: false
    case .literal, .field: true
    case .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not, .conditional, .function,
      .widened:
      operands.allSatisfy(\.isSameOnAllDays)
    }
  }
}
