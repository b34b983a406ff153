/// What the tests of a library exercised.
///
/// A metric is reached where an expectation names it or a metric that reads it. A condition has two
/// outcomes, true and not true; it is each `when`, `rest when`, `where` and `if` condition, and in it
/// each comparison. A condition counts where it was decided: in the windows, at the days, for the
/// facts that a reached metric looks at, and not in the branch of an `if` that was not taken.
public struct Coverage: Hashable, Sendable {
  /// What the tests exercised of one metric.
  public struct Metric: Hashable, Sendable {
    public var name: String
    public var isReached: Bool
    public var clauses: [Clause]
  }

  /// A clause that says what the metric computes.
  public struct Clause: Hashable, Sendable {
    /// `when`, `step added`
    public var word: String
    public var isReached: Bool
    public var conditions: [Condition]
  }

  /// A condition of the clause with its two outcomes.
  public struct Condition: Hashable, Sendable {
    /// As the language writes it.
    public var text: String
    public var wasTrue = false
    /// False or none.
    public var wasFalse = false

    mutating func add(_ isTrue: Bool) { if isTrue { wasTrue = true } else { wasFalse = true } }
  }

  /// In the order of the plan's metrics.
  public var metrics: [Metric]
}

/// A condition of a plan and where it is decided.
struct CoverageCondition {
  enum Place {
    /// For the metric's subject, in a period that ends at the day.
    case subject(Period)
    /// For each fact that an aggregate looks at.
    case facts(Aggregate, Period)
    /// For each subject that an aggregate over subjects counts; nil for each of the metric, by `for … where`.
    case counted(RecordID?)
  }

  /// A condition above, and which outcome leads here.
  struct Guard: Hashable {
    var condition: Expression
    var isTrue: Bool
  }

  var clause: String
  var expression: Expression
  var place: Place
  var guards: [Guard]
  var outcomes: Coverage.Condition
}

/// Gathers the conditions of one metric in the order of the clauses.
struct CoverageConditions {
  private let library: Library
  private(set) var conditions: [CoverageCondition] = []

  init(_ metric: Metric, _ library: Library) {
    self.library = library
    if let condition = metric.subject.condition, metric.body.base == nil {
      add(condition, "for … where", .counted(nil), [])
    }
    if let over = metric.body.over {
      for (word, value) in metric.body.clauses { walk(value, word, over, []) }
    } else if case .completion(let completion) = metric.body {
      let over = completion.window.period
      for (word, condition) in metric.body.clauses {
        let guards =
          word == "rest when" ? [CoverageCondition.Guard(condition: completion.holds, isTrue: false)] : []
        add(condition, word, .subject(over), guards)
        walk(condition, word, over, guards)
      }
    }
    for case (let word, .fact(let record, let route, let filter?), let over) in metric.body.namedSources {
      add(filter, word, .facts(Aggregate(.count, of: record, route, where: filter), over), [])
    }
  }

  /// A condition that something depends on, and the comparisons in it.
  private mutating func add(
    _ condition: Expression, _ clause: String, _ place: CoverageCondition.Place,
    _ guards: [CoverageCondition.Guard]
  ) {
    for part in [condition] + condition.comparisons {
      // Text, clause and place say which one it is; the same may stand under several conditions.
      let isKnown = conditions.contains {
        $0.clause == clause && $0.expression == part && $0.guards == guards
      }
      guard !isKnown else { continue }
      conditions.append(
        CoverageCondition(
          clause: clause, expression: part, place: place, guards: guards,
          outcomes: Coverage.Condition(text: library.text(of: part))))
    }
  }

  private mutating func walk(
    _ expression: Expression, _ clause: String, _ over: Period, _ guards: [CoverageCondition.Guard]
  ) {
    switch expression {
    case .conditional(let condition, let then, let otherwise):
      add(condition, clause, .subject(over), guards)
      walk(condition, clause, over, guards)
      for (branch, isTrue) in [(then, true), (otherwise, false)] {
        walk(branch, clause, over, guards + [.init(condition: condition, isTrue: isTrue)])
      }
      return
    case .aggregate(let aggregate):
      if let filter = aggregate.filter { add(filter, clause, .facts(aggregate, over), guards) }
    case .subjects(let aggregate):
      if let filter = aggregate.filter { add(filter, clause, .counted(aggregate.entity), guards) }
    case .comparison, .membership, .isNone: add(expression, clause, .subject(over), guards)
    case .literal, .field, .day, .metric, .completions, .arithmetic, .negated, .and, .or, .not, .function,
      .widened:
      break
    }
    for operand in expression.operands { walk(operand, clause, over, guards) }
  }
}

/// A threshold, a step or a return, which are not expressions.
struct CoverageStage {
  var clause: String
  var outcomes: Coverage.Condition
  /// By the values of parts in a group at a day: true where somebody reaches it, false where somebody could have.
  var found: (_ value: (String) -> Int64?) -> [Bool]
}

extension Metric {
  var coverageStages: [CoverageStage] {
    func found(_ count: Int64?, of all: Int64?) -> [Bool] {
      guard let count else { return [] }
      return (count > 0 ? [true] : []) + (count < all ?? .min ? [false] : [])
    }
    switch body {
    case .level(let level):
      return level.thresholds.enumerated().map { index, threshold in
        CoverageStage(clause: "at", outcomes: .init(text: "`\(threshold)` is reached")) { value in
          value("").map { [Int64(index) * FixedDecimal.scale < $0] } ?? []
        }
      }
    case .funnel(let funnel):
      return funnel.steps.enumerated().map { [parts] index, step in
        // Who did not take the first step made no attempt, so it has one outcome.
        CoverageStage(
          clause: "step \(step.name)",
          outcomes: .init(text: "`\(step.name)` is reached", wasFalse: index == 0)
        ) { value in
          found(value(parts[index].name), of: index > 0 ? value(parts[index - 1].name) : nil)
        }
      }
    case .retention(let retention):
      return retention.after.map { days in
        let text =
          retention.value == nil ? "somebody returns on `\(days.name)`" : "`\(days.name).value` is not 0"
        return CoverageStage(clause: "after", outcomes: .init(text: text)) { value in
          (value(PartRole.worth(days).name).map { [$0 != 0] } ?? [])
            + found(value(PartRole.returned(days).name), of: value(PartRole.eligible(days).name))
        }
      }
    case .completion, .windows, .measure: return []
    }
  }
}

extension Body {
  /// What a funnel or retention counts, by clause, with the period in which it is looked for.
  var namedSources: [(word: String, source: EventSource, over: Period)] {
    switch self {
    case .funnel(let funnel):
      funnel.steps.map { ("step \($0.name)", $0.source, funnel.over) }
        + [funnel.without].compactMap { $0 }.map { ("without", $0, .allTime) }
    case .retention(let retention):
      [
        (retention.startsEachDay ? "start each" : "start first", retention.start, retention.over),
        (retention.value == nil ? "return" : "value", retention.written, .allTime),
      ]
    case .completion, .windows, .measure, .level: []
    }
  }
}

extension Expression {
  /// The parts of a condition that `and`, `or` and `not` join: comparisons, and Bools by themselves.
  fileprivate var comparisons: [Expression] {
    switch self {
    case .and(let left, let right), .or(let left, let right): left.comparisons + right.comparisons
    case .not(let operand): operand.comparisons
    // What decides inside an `if` is found there.
    case .conditional, .literal: []
    case .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .negated, .comparison,
      .membership, .isNone, .function, .widened:
      [self]
    }
  }
}
