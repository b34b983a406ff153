/// Where a path of fields starts.
package enum PathRoot: Hashable, Sendable {
  case subject
  /// The current record: the fact inside an aggregate's `where`, the subject row inside an
  /// aggregate over subjects, the record itself in a computed field, the subject in `for S where`.
  case row
}

/// `value`, `book.level`, `habit.user.plan`: references to follow, then the field to read.
package struct FieldPath: Hashable, Sendable {
  package var root: PathRoot
  /// Reference fields, followed from left to right.
  package var references: [FieldReference]
  package var field: FieldReference
  package var type: ValueType

  package init(root: PathRoot, references: [FieldReference], field: FieldReference, type: ValueType) {
    self.root = root
    self.references = references
    self.field = field
    self.type = type
  }
}

/// Another metric, a part of it, perhaps shifted or of many days: `first_lesson.started offset 7 days`.
package struct MetricReference: Hashable, Sendable {
  /// `.row` inside an aggregate over subjects, else `.subject`.
  package var root: PathRoot
  package var metric: MetricID
  /// The part's name; empty for the metric's own value.
  package var part: String
  package var offset: Offset?
  /// Days as rows, of the subject itself; not where there is an offset.
  package var days: DayAggregate?
  package var type: ValueType

  package init(
    root: PathRoot, metric: MetricID, part: String, offset: Offset? = nil, type: ValueType
  ) {
    self.root = root
    self.metric = metric
    self.part = part
    self.offset = offset
    self.type = type
  }
}

/// `average(dau over last 28 days)`: what is made of the values of a metric on those days of a period on which it has
/// one (OPD-09).
package struct DayAggregate: Hashable, Sendable {
  package var function: AggregateFunction
  /// Its own period; nil takes the completion's window or the metric's `over`.
  package var period: Period?

  /// Whether the days may begin with the first fact that the metric reads.
  package var mayBeAllTime: Bool { period == nil || period == .allTime }
}

/// How a fact finds the subjects it belongs to.
package enum Route: Hashable, Sendable {
  /// The subject is the whole dataset.
  case whole
  /// References from the fact to the subject, at least one.
  case references([FieldReference])
  case link(LinkRoute)
}

/// `through GoalLink`: from the fact to an entity, over the link, to the subject.
package struct LinkRoute: Hashable, Sendable {
  package var link: RecordID
  /// References from the fact to the entity that the link names; at least one.
  package var fromFact: [FieldReference]
  /// The link's field that refers to that entity, where it has one.
  package var direct: FieldReference?
  /// The link's field that refers to a `Bundle`, whose habits it then names (LINK-02).
  package var bundle: FieldReference?
  /// References from the link to the subject; the first is its own, the owner of the pair in `contribution`.
  package var toSubject: [FieldReference]
}

/// An aggregate over live facts.
package struct Aggregate: Hashable, Sendable {
  package var function: AggregateFunction
  package var record: RecordID
  package var route: Route
  /// What is aggregated, over the fact (root `.row`); nil for `count(F)`, `days(F)`, `first(F)`,
  /// `last(F)` (which give the DayKey). For `contribution` the fact's `value`.
  package var argument: Expression?
  package var filter: Expression?
  /// Its own period; nil takes the completion's window or the metric's `over`.
  package var period: Period?
  package var type: ValueType

  /// The expressions over the fact.
  package var inner: [Expression] { [filter, argument].compactMap { $0 } }

  package init(
    _ function: AggregateFunction, of record: RecordID, _ route: Route, argument: Expression? = nil,
    where filter: Expression? = nil, over period: Period? = nil, type: ValueType = .int
  ) {
    self.function = function
    self.record = record
    self.route = route
    self.argument = argument
    self.filter = filter
    self.period = period
    self.type = type
  }
}

package enum CompletionFunction: String, Hashable, Sendable {
  case first, last, count
}

/// `first(c)`, `last(c)`, `count(c over last 4 weeks)` of a completion.
package struct CompletionAggregate: Hashable, Sendable {
  package var function: CompletionFunction
  package var root: PathRoot
  package var completion: MetricID
  /// Nil is all time.
  package var period: Period?
}

/// `count(habit where done)`: an aggregate over subjects in place of facts.
package struct SubjectAggregate: Hashable, Sendable {
  package var function: AggregateFunction
  package var entity: RecordID
  /// References from the counted entity to the metric's subject; empty for `app`.
  package var relation: [FieldReference]
  /// Over the counted subject, root `.row`.
  package var filter: Expression?
  package var argument: Expression?
  package var type: ValueType

  /// The expressions over the counted subject.
  package var inner: [Expression] { [filter, argument].compactMap { $0 } }
}

package enum ArithmeticOperator: String, Hashable, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  /// Always Decimal; the operands have been widened.
  case divide = "/"
}

package enum ScalarFunction: String, Hashable, Sendable {
  /// Two operands of one numeric type.
  case least, greatest
  /// Decimal to Int, towards minus infinity.
  case floor
  /// DayKey to Text.
  case weekday
  /// DayKey − DayKey, in days.
  case daysBetween
}

/// A typed expression. Every operation meets operands of its type: an Int beside a Decimal is `.widened`.
package indirect enum Expression: Hashable, Sendable {
  case literal(Literal)
  case field(FieldPath)
  /// In conditions of a completion the window's last DayKey, inside an aggregate's `where` the
  /// fact's DayKey, elsewhere the reference day.
  case day
  case metric(MetricReference)
  case aggregate(Aggregate)
  case completions(CompletionAggregate)
  case subjects(SubjectAggregate)
  case arithmetic(ArithmeticOperator, Expression, Expression)
  case negated(Expression)
  case comparison(ComparisonOperator, Expression, Expression)
  case membership(Expression, [Literal], negated: Bool)
  case isNone(Expression, negated: Bool)
  case and(Expression, Expression)
  case or(Expression, Expression)
  case not(Expression)
  case conditional(condition: Expression, then: Expression, else: Expression)
  case function(ScalarFunction, [Expression])
  /// An Int as a Decimal.
  case widened(Expression)

  /// Looks only a few operations deep, and at few members of a list: each part of a long expression is looked up, and
  /// the cost would grow with the square of its length (95 `if` in each other: 2.3 s to check, now 0.1).
  package func hash(into hasher: inout Hasher) { hash(into: &hasher, depth: 4) }

  private func hash(into hasher: inout Hasher, depth: Int) {
    switch self {
    case .literal(let literal): hasher.combine(literal)
    case .field(let path): hasher.combine(path)
    case .metric(let reference): hasher.combine(reference)
    case .aggregate(let aggregate): hasher.combine(aggregate)
    case .completions(let aggregate): hasher.combine(aggregate)
    case .subjects(let aggregate): hasher.combine(aggregate)
    case .arithmetic(let operation, _, _): hasher.combine(operation)
    case .comparison(let operation, _, _): hasher.combine(operation)
    case .membership(_, let literals, let negated):
      hasher.combine(negated)
      hasher.combine(literals.count)
      hasher.combine(literals.first)
    case .isNone(_, let negated): hasher.combine(negated)
    case .function(let function, _): hasher.combine(function)
    case .day: hasher.combine(0)
    case .negated: hasher.combine(1)
    case .and: hasher.combine(2)
    case .or: hasher.combine(3)
    case .not: hasher.combine(4)
    case .conditional: hasher.combine(5)
    case .widened: hasher.combine(6)
    }
    guard depth > 0 else { return }
    for operand in operands { operand.hash(into: &hasher, depth: depth - 1) }
  }

  package var type: ValueType {
    switch self {
    case .literal(let literal): literal.type
    case .field(let path): path.type
    case .day: .dayKey
    case .metric(let reference): reference.type
    case .aggregate(let aggregate): aggregate.type
    case .completions(let aggregate): aggregate.function == .count ? .int : .dayKey
    case .subjects(let aggregate): aggregate.type
    case .arithmetic(let operation, let left, _): operation == .divide ? .decimal : left.type
    case .negated(let operand): operand.type
    case .comparison, .membership, .isNone, .and, .or, .not: .bool
    case .conditional(_, let then, _): then.type
    case .function(let function, let operands):
      switch function {
      case .least, .greatest: operands[0].type
      case .floor, .daysBetween: .int
      case .weekday: .text
      }
    case .widened: .decimal
    }
  }

  package var aggregate: Aggregate? { if case .aggregate(let aggregate) = self { aggregate } else { nil } }

  package var path: FieldPath? { if case .field(let path) = self { path } else { nil } }

  var isLiteral: Bool { if case .literal = self { true } else { false } }

  /// An Int that stands as a Decimal is still the Int that was written.
  package var withoutWidening: Expression { if case .widened(let operand) = self { operand } else { self } }

  /// The expressions directly below this one in its scope, which an aggregate's `where` and argument are not in.
  package var operands: [Expression] {
    switch self {
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects: []
    case .arithmetic(_, let left, let right), .comparison(_, let left, let right),
      .and(let left, let right), .or(let left, let right):
      [left, right]
    case .negated(let operand), .not(let operand), .isNone(let operand, _),
      .membership(let operand, _, _), .widened(let operand):
      [operand]
    case .conditional(let condition, let then, let otherwise): [condition, then, otherwise]
    case .function(_, let operands): operands
    }
  }

  /// This expression and all below it in the same scope, parents first.
  package var parts: [Expression] {
    var parts: [Expression] = []
    visit { parts.append($0) }
    return parts
  }

  /// The same, and all inside aggregates over subjects.
  package var allParts: [Expression] {
    parts.flatMap { part in
      if case .subjects(let aggregate) = part { [part] + aggregate.inner.flatMap(\.allParts) } else { [part] }
    }
  }

  /// The expression with others in place of its operands.
  package func mapOperands(_ change: (Expression) -> Expression) -> Expression {
    switch self {
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects: self
    case .arithmetic(let operation, let left, let right): .arithmetic(operation, change(left), change(right))
    case .negated(let operand): .negated(change(operand))
    case .comparison(let operation, let left, let right): .comparison(operation, change(left), change(right))
    case .membership(let operand, let literals, let negated):
      .membership(change(operand), literals, negated: negated)
    case .isNone(let operand, let negated): .isNone(change(operand), negated: negated)
    case .and(let left, let right): .and(change(left), change(right))
    case .or(let left, let right): .or(change(left), change(right))
    case .not(let operand): .not(change(operand))
    case .conditional(let condition, let then, let otherwise):
      .conditional(condition: change(condition), then: change(then), else: change(otherwise))
    case .function(let function, let operands): .function(function, operands.map(change))
    case .widened(let operand): .widened(change(operand))
    }
  }

  /// Calls `body` for this expression and all below it in the same scope, parents first.
  package func visit(_ body: (Expression) -> Void) {
    body(self)
    for operand in operands { operand.visit(body) }
  }
}

/// How a condition comes out, or is wanted to. The branch after `else` is taken where it is not true; what is none is neither
/// true nor false.
package enum ConditionOutcome: Sendable {
  case isTrue, isFalse, notTrue, notFalse, isNone

  package var ofNegation: ConditionOutcome {
    switch self {
    case .isTrue: .isFalse
    case .isFalse: .isTrue
    case .notTrue: .notFalse
    case .notFalse: .notTrue
    case .isNone: .isNone
    }
  }

  /// Whether none is it, too.
  package var takesNone: Bool { self == .notTrue || self == .notFalse }
  /// What it is where it is not none.
  package var truth: Bool { self == .isTrue || self == .notFalse }
}
