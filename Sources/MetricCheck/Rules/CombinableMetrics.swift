import MetricDiagnostics
import MetricPlan

/// What one metric hides, another may give away.
enum CombinableMetrics: Rule {
  static let page = Page(
    "W017", "combinable-metrics", "Two metrics give away together what each hides",
    what: """
      Two metrics count or add the same facts, at least one of them with `at least K users`: their conditions differ and
      do not exclude each other, or they have different groups or different K.
      """,
    why: """
      Their difference is the number of those whom only one of them counts, however few they are. A metric hides a
      second group of its own for that reason; it knows nothing of other metrics.
      """,
    wrong: """
      measure all_events { for app  value count(Event)  at least 5 users }
      measure other_events { for app  value count(Event where name != "rare")  at least 5 users }
      """,
    right: """
      measure all_events { for app  value count(Event)  at least 5 users }
      measure events_by_name { for app  value count(Event)  by name  at least 5 users }
      """,
    seeAlso: ["C412", "W004"])

  /// One number of a metric that others can be subtracted from.
  private struct Cell {
    var metric: MetricID
    var conditions: Set<Expression>
    var subject: Subject
    var grouping: Grouping?
    var atLeast: Int?

    var filter: Expression? {
      conditions.reduce(nil) { filter, condition in filter.map { .and($0, condition) } ?? condition }
    }

    var isTotal: Bool { grouping == nil && subject.entity == nil }
  }

  /// Numbers that can be subtracted from each other.
  private struct Kind: Hashable {
    var number: Expression
    var over: Period
  }

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    var cells: [Kind: [Cell]] = [:]
    for id in library.ofSeveralUsers {
      let metric = library.metrics[id]
      guard case .measure(let measure) = metric.body else { continue }
      for part in measure.value.addends {
        guard let (kind, conditions) = describe(part, measure.over, library) else { continue }
        cells[kind, default: []].append(
          Cell(
            metric: id, conditions: conditions.union(metric.subject.condition?.conjuncts ?? []),
            subject: metric.subject, grouping: measure.grouping, atLeast: measure.atLeast))
      }
    }
    var partners: [MetricID: Set<MetricID>] = [:]
    for same in cells.values {
      for (index, cell) in same.enumerated() {
        for other in same[..<index] where other.metric != cell.metric && giveAway(cell, other) {
          partners[max(cell.metric, other.metric), default: []].insert(min(cell.metric, other.metric))
        }
      }
    }
    return partners.sorted { $0.key < $1.key }.map { finding(library.metrics[$0], $1, library) }
  }

  private static func finding(_ metric: Metric, _ others: Set<MetricID>, _ library: Library) -> Diagnostic {
    let names = others.sorted().map { "`\(library.metrics[$0].name)`" }
    let shown =
      names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    return metric.warning(
      page.code, "what `\(metric.name)` hides can be computed together with \(shown)",
      notes: [
        Note(
          "the difference of their numbers speaks of those whom only one of them counts, even of one person"),
        Note("publish one of them, or say `allow \(page.code.id) \"why\"`"),
      ])
  }

  private static func describe(
    _ part: Expression, _ over: Period, _ library: Library
  ) -> (Kind, Set<Expression>)? {
    switch part {
    case .aggregate(var aggregate) where library.leadsToUser(aggregate.record):
      let (conditions, over) = (aggregate.filter?.conjuncts ?? [], aggregate.period ?? over)
      (aggregate.filter, aggregate.period, aggregate.route) = (nil, nil, .whole)
      return (Kind(number: .aggregate(aggregate), over: over), conditions)
    case .subjects(var aggregate) where library.leadsToUser(aggregate.entity):
      let conditions = aggregate.filter?.conjuncts ?? []
      (aggregate.filter, aggregate.relation) = (nil, [])
      return (Kind(number: .subjects(aggregate), over: .allTime), conditions)
    default: return nil
    }
  }

  private static func giveAway(_ one: Cell, _ other: Cell) -> Bool {
    guard one.atLeast != nil || other.atLeast != nil else { return false }
    let isSame = one.subject == other.subject && one.grouping == other.grouping
    if one.conditions == other.conditions {
      // The groups of one metric and their total are safe: it hides a second group itself.
      if isSame { return one.atLeast != other.atLeast }
      return !(one.isTotal && other.subject.entity == nil) && !(other.isTotal && one.subject.entity == nil)
    }
    // What no fact passes twice has no difference either.
    return !StepCondition(one.filter).excludes(StepCondition(other.filter))
  }
}

extension Expression {
  /// The numbers that a value adds and subtracts, scaled or not.
  fileprivate var addends: [Expression] {
    switch self {
    case .arithmetic(.add, let left, let right), .arithmetic(.subtract, let left, let right),
      .arithmetic(.multiply, let left, let right):
      left.addends + right.addends
    case .negated(let operand), .widened(let operand): operand.addends
    case .arithmetic(.divide, let left, .literal), .arithmetic(.divide, let left, .widened(.literal)):
      left.addends
    case .conditional(_, let then, let otherwise): then.addends + otherwise.addends
    case .function(.floor, let operands), .function(.least, let operands), .function(.greatest, let operands):
      operands.flatMap(\.addends)
    default: [self]
    }
  }

  /// The conditions that all have to hold.
  fileprivate var conjuncts: Set<Expression> {
    if case .and(let left, let right) = self { left.conjuncts.union(right.conjuncts) } else { [self] }
  }
}
